import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';

const params = z.object({ userId: id });
const company = z.object({ id, name: z.string() });

export const previewOwnErasure = operation({
  summary: 'Preview what deleting one’s own account does: which companies it leaves, what is kept',
  params,
  answer: one(
    z.object({
      email: z.string(),
      companies: z.array(company).meta({ description: 'Companies that the person leaves' }),
      stop: z
        .object({
          code: z.string(),
          message: z.string(),
          names: z
            .array(z.string())
            .meta({ description: 'The companies or organizations it is about' }),
        })
        .nullable()
        .meta({
          description: 'Why the account can’t be deleted, and what to do first; null: it can',
        }),
      stays: z
        .array(z.object({ what: z.string(), why: z.string() }))
        .meta({ description: 'What is kept, and why' }),
    }),
  ),
  example: {
    params: { userId: 5 },
    answer: {
      data: {
        email: 'user@demo.test',
        companies: [{ id: 1, name: 'Harbor Dental' }],
        stop: null,
        stays: [{ what: 'Texts and notes', why: 'They are the company’s records.' }],
      },
    },
  },
});

export const eraseOwnAccount = operation({
  summary:
    'Delete one’s own account. It can’t be used from then on; what is the person’s is erased in the background and can’t be brought back',
  params,
  status: 204,
  errors: [
    ...(['account.other_email', 'account.owner', 'account.last_administrator'] as const),
    ...(['account.staff', 'account.managed', 'account.held'] as const),
  ],
  body: z.object({
    email: emailAddress.meta({ description: 'The account’s email address, to confirm' }),
  }),
  answer: empty,
  example: { params: { userId: 5 }, body: { email: 'user@demo.test' } },
});
