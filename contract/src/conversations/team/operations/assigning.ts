import { z } from 'zod';
import { operation } from '../../../operation.ts';
import { companyIn, id, one } from '../../../schemas.ts';
import { person, presentUser, type PresentUser } from '../schemas.ts';
import { at } from './shared.ts';

const ofCompany = z.object({ companyId: id });

const ofConversation = z.object({ companyId: id, id });

const ids = z.array(id).min(1, 'Choose at least one conversation.').max(1000);

const inCompany = { companyId: 1 };

export const listTeammates = operation({
  summary:
    'List the people who can be assigned or mentioned: those who see the inbox and, with `number_id`, that number. `teams`: those that can be assigned, because one of their people is among these',
  params: ofCompany,
  query: z.object({ number_id: id.optional(), ...companyIn }),
  answer: z.object({ data: z.array(person), teams: z.array(person) }),
  example: {
    params: inCompany,
    query: {},
    answer: { data: [{ id: 5, name: 'Una User' }], teams: [{ id: 9, name: 'Front desk' }] },
  },
});

export const assignConversations = operation({
  summary:
    'Assign conversations to a person or a team, or unassign them. A person of the team it is assigned to takes it within the team. `from`: skip those reassigned in the meantime; they’re listed in `taken`',
  errors: ['teammate.unknown', 'team.no_access'],
  params: ofCompany,
  body: z.object({
    ids,
    userId: id.nullable(),
    teamId: id
      .nullable()
      .optional()
      .meta({ description: 'Absent: a person keeps the team that they are in' }),
    from: id.nullable().optional(),
    ...companyIn,
  }),
  answer: one(
    z.object({
      updated: z.array(id),
      unchanged: z.array(id),
      taken: z.array(z.object({ id, by: person.nullable() })),
    }),
  ),
  example: {
    params: inCompany,
    body: { ids: [9001], userId: 5 },
    answer: { data: { updated: [9001], unchanged: [], taken: [] } },
  },
});

export const snoozeConversations = operation({
  summary:
    'Snooze conversations until a time; new activity brings them back earlier. `until` null brings them back now',
  errors: ['snooze.too_soon', 'snooze.too_late'],
  params: ofCompany,
  body: z.object({
    ids,
    until: z.iso.datetime({ offset: true, message: 'Choose a time.' }).nullable(),
    ...companyIn,
  }),
  answer: one(z.object({ updated: z.array(id), unchanged: z.array(id) })),
  example: {
    params: inCompany,
    body: { ids: [9001], until: '2026-11-23T14:00:00.000Z' },
    answer: { data: { updated: [9001], unchanged: [] } },
  },
});

const thereExample: PresentUser = { id: 6, name: 'Ann Agent', state: 'replying', at };

export const listPresence = operation({
  summary: 'List teammates who have this conversation open or are typing in it',
  params: ofConversation,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: { params: { companyId: 1, id: 9001 }, answer: { data: [thereExample] } },
});

export const tellPresence = operation({
  summary:
    'Report that you opened, are typing in, or left this conversation. Lasts 60 seconds, 10 for typing. The response lists who else is there',
  params: ofConversation,
  body: z.object({ state: z.enum(['viewing', 'replying', 'away']), ...companyIn }),
  answer: z.object({ data: z.array(presentUser) }),
  example: {
    params: { companyId: 1, id: 9001 },
    body: { state: 'viewing' },
    answer: { data: [thereExample] },
  },
});
