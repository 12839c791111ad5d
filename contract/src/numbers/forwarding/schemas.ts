import { z } from 'zod';
import { destinationNumber } from '../../routing/rules.ts';
import { timezone } from '../../routing/schemas/hours.ts';
import { confirmKey, confirmKeyIn } from '../../routing/schemas/routes.ts';
import { companyIn, id, instant } from '../../schemas.ts';
import { contactTypes } from './rules.ts';

export const forwardContact = z.object({
  id,
  companyId: id,
  name: z.string(),
  number: z
    .string()
    .nullable()
    .meta({ description: 'E.164 or sip:; null: a person, rung in the app' }),
  extension: z.string().nullable().meta({ description: 'Dialed after it answers' }),
  type: z.enum(contactTypes),
  user_id: id.nullable(),
  user: z.object({ id, name: z.string() }).nullable(),
  caller_id_pass_thru: z.boolean(),
  confirm_key: confirmKey,
  schedule_id: id.nullable(),
  timezone: z.string().nullable(),
  tags: z.array(z.object({ id, name: z.string(), color: z.string() })),
  notes: z.string(),
  is_verified: z
    .boolean()
    .meta({ description: 'Someone has answered a call there since it got this number' }),
  verified_at: instant.nullable(),
  used_by_count: z.number().meta({ description: 'Routes that use it' }),
  last_answered_at: instant.nullable(),
  answer_rate_30d: z.number().nullable().meta({ description: '0 to 1; null: not rung in 30 days' }),
  attempts_30d: z.number(),
  is_failing: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export type ForwardContact = z.infer<typeof forwardContact>;

export const fields = {
  name: z.string().trim().min(1, 'Enter a name.').max(120, 'At most 120 characters.'),
  number: z
    .string()
    .trim()
    .max(120)
    .nullish()
    .transform((typed, refine) => {
      if (typed === undefined) return undefined;
      if (typed === null || typed === '') return null;
      const number = destinationNumber(typed);
      if (number === null)
        refine.addIssue({ code: 'custom', message: 'Enter a valid phone number.' });
      return number;
    }),
  extension: z
    .string()
    .trim()
    .regex(/^[\d*#,]{0,12}$/, 'Use up to 12 digits; a comma waits one second.')
    .nullish()
    .transform((v) => (v === '' ? null : v)),
  type: z.enum(contactTypes).default('phone'),
  user_id: id.nullish(),
  caller_id_pass_thru: z.boolean().default(true),
  confirm_key: confirmKeyIn.default(false),
  schedule_id: id.nullish(),
  timezone: timezone.nullish(),
  tags: z
    .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
    .max(50)
    .default([]),
  notes: z.string().trim().max(2000, 'At most 2000 characters.').default(''),
};

const fits = (
  one: { type: string; number?: string | null | undefined; user_id?: number | null | undefined },
  refine: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void => {
  const say = (path: string, message: string) =>
    refine.addIssue({ code: 'custom', path: [path], message });
  if (one.type === 'user' && !one.user_id) say('user_id', 'Choose a person.');
  if (one.type === 'phone' && !one.number?.startsWith('+'))
    say('number', 'Enter a valid phone number.');
  if (one.type === 'sip' && !/^sips?:/i.test(one.number ?? ''))
    say('number', 'Enter a SIP address, such as sip:desk@example.com.');
};

export const bodyIn = z.object({ ...fields, ...companyIn }).superRefine(fits);

export type ForwardContactIn = Omit<z.infer<typeof bodyIn>, 'companyId' | 'company_id'>;
