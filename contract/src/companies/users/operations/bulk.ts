import { z } from 'zod';
import { operation } from '../../../operation.ts';
import { companyRoles } from '../../../permissions.ts';
import { flag, id } from '../../../schemas.ts';
import { assignableRoles, mostUsersAtOnce } from '../rules.ts';

const bulkResult = z.object({
  user_id: id,
  name: z.string(),
  outcome: z.enum(['changed', 'unchanged', 'refused']),
  reason: z.string().nullable().meta({ description: 'Why it was refused; null: it wasn’t' }),
  before: z
    .object({ role: z.enum(companyRoles), numbers: z.array(id) })
    .nullable()
    .meta({ description: 'What to return to; null: nothing changed' }),
});

export const updateManyUsers = operation({
  summary:
    'Change the role, numbers or access of several people at once. Each person is changed as alone, by the same rules: those who can’t be changed stay as they are, with the reason',
  params: z.object({ companyId: id }),
  body: z
    .object({
      user_ids: z
        .array(id)
        .min(1, 'Choose at least one person.')
        .max(mostUsersAtOnce, `Choose at most ${mostUsersAtOnce} people.`),
      role: z.enum(assignableRoles, 'Choose a role from the list.').optional(),
      numbers: z
        .object({
          change: z.enum(['add', 'remove', 'replace']),
          number_ids: z.array(id).max(10_000).meta({
            description: 'With `replace`, an empty list gives every number',
          }),
        })
        .optional(),
      active: flag
        .optional()
        .meta({ description: 'false: deactivate; true: activate with the role from before' }),
    })
    .refine(
      ({ role, numbers, active }) =>
        [role, numbers, active].filter((one) => one !== undefined).length === 1,
      { message: 'Choose one change: a role, numbers, or access.', path: ['role'] },
    ),
  answer: z.object({ data: z.array(bulkResult) }),
  example: {
    params: { companyId: 1 },
    body: { user_ids: [5], role: 'reporting' },
    answer: {
      data: [
        {
          user_id: 5,
          name: 'Uma User',
          outcome: 'changed',
          reason: null,
          before: { role: 'user', numbers: [] },
        },
      ],
    },
  },
});
