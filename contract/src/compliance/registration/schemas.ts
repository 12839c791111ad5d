import { z } from 'zod';
import { companyIn, flag, id, instant } from '../../schemas.ts';
import {
  brandTypes,
  industries,
  optInTypes,
  plainUseCases,
  registrationChecks,
  registrationIdTypes,
  registrationKinds,
  registrationStatuses,
  stockExchanges,
  useCases,
  volumeBands,
} from './lists.ts';
import { limits } from './campaign-rules.ts';

const among = <K extends string>(list: Record<K, unknown>, message: string) =>
  z.enum(Object.keys(list) as [K, ...K[]], message);

const text = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);

/** null and the empty string both mean not given. */
const choice = <T>(shape: z.ZodType<T>) =>
  z.preprocess((v) => (v === '' ? null : v), shape.nullable()).optional();

export const status = z.enum(registrationStatuses);

export const kind = z.enum(registrationKinds);

const rejection = z.object({
  kind: kind.nullable(),
  code: z.string(),
  text: z.string(),
  fix: z.string().meta({ description: 'What to change before resubmitting' }),
});

export type Rejection = z.infer<typeof rejection>;

const address = z
  .object({
    line1: text(200),
    line2: text(200),
    city: text(100),
    state: text(60),
    zip: text(20),
    country: text(2),
  })
  .partial();

const contact = z
  .object({
    first_name: text(80),
    last_name: text(80),
    title: text(80),
    email: text(254),
    phone: text(40),
  })
  .partial();

const brandShown = z.object({
  id,
  is_draft: z.boolean(),
  status,
  type: among(brandTypes, 'Choose from the list.').nullable(),
  legal_name: z.string(),
  dba: z.string(),
  ein: z.string(),
  registration_id_type: z.enum(registrationIdTypes).nullable(),
  registration_id: z.string(),
  stock_exchange: z.enum(stockExchanges).nullable(),
  stock_symbol: z.string(),
  industry: z.enum(industries).nullable(),
  website: z.string(),
  email: z.string(),
  phone: z.string(),
  support_email: z.string(),
  support_phone: z.string(),
  address,
  contact,
  score: z.number().nullable().meta({
    description: '0 to 100, given by the registry; determines how fast its campaigns can text',
  }),
  rejection: z.array(rejection),
});

const file = z.object({
  id,
  name: z.string(),
  url: z.string(),
  mime: z.string(),
  size: z.number(),
});

const optInShown = z.object({
  type: among(optInTypes, 'Choose from the list.').nullable(),
  description: z.string(),
  url: z.string(),
  keywords: z.array(z.string()),
  supporting_files: z.array(file),
});

const campaignNumber = z.object({
  id,
  number: z.string(),
  label: z.string(),
  type: kind,
  status: status.meta({ description: 'submitted: requested, not confirmed yet' }),
});

const campaignShown = z.object({
  id,
  brand_id: id,
  use_case: among(useCases, 'Choose from the list.').nullable(),
  sub_usecases: z.array(among(plainUseCases, 'Choose from the list.')),
  description: z.string(),
  sample_messages: z.array(z.string()),
  optins: z.array(optInShown),
  opt_in_message: z.string(),
  opt_out_message: z.string(),
  help_message: z.string(),
  has_links: z.boolean(),
  has_phone_numbers: z.boolean(),
  age_gated: z.boolean(),
  affiliate_marketing: z.boolean(),
  direct_lending: z.boolean(),
  privacy_url: z.string(),
  terms_url: z.string(),
  monthly_volume: among(volumeBands, 'Choose from the list.').nullable(),
  numbers: z.array(campaignNumber),
});

/** One value for 10DLC (local) and one for toll-free, each null where the company has none. */
export const byKind = <T>(shape: z.ZodType<T>) =>
  z.object({ local: shape.nullable(), toll_free: shape.nullable() });

const feeLine = z.object({
  label: z.string(),
  cents: z.number(),
  when: z.enum(['today', 'monthly']),
});

/**
 * One SMS verification: a brand, one of its campaigns, and the review status per kind of number.
 */
export const verification = z.object({
  id,
  brand: brandShown,
  campaign: campaignShown,
  status: byKind(status).meta({ description: 'null: no number of this kind is part of it' }),
  fees: z.object({
    due_today: z.number().meta({ description: 'Dollars' }),
    due_today_cents: z.number(),
    monthly_cents: z.number(),
    currency: z.literal('USD'),
    lines: z.array(feeLine),
  }),
  rates: byKind(z.number()).meta({
    description: 'Text segments per second that the registration allows once approved',
  }),
  is_draft: z.boolean(),
  is_submitted: z.boolean(),
  rejection: z.array(rejection),
  submitted_at: instant.nullable(),
  decided_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});

export type Verification = z.infer<typeof verification>;

const step = z.object({
  id,
  at: instant,
  what: z.enum([
    'created',
    'changed',
    'submitted',
    'in_review',
    'approved',
    'rejected',
    'action_required',
    'cancel_requested',
    'expired',
    'suspended',
    'numbers_added',
    'numbers_removed',
  ]),
  kind: kind.nullable(),
  by: z.string(),
  rejection: z.array(rejection),
  numbers: z.array(z.string()),
});

export const verificationDetail = verification.extend({
  history: z.array(step).meta({ description: 'Newest first; every review is kept' }),
});

export type VerificationDetail = z.infer<typeof verificationDetail>;

export const check = z.object({
  code: z.enum(
    Object.keys(registrationChecks) as [
      keyof typeof registrationChecks,
      ...(keyof typeof registrationChecks)[],
    ],
  ),
  ok: z.boolean(),
  title: z.string(),
  fix: z.string().nullable(),
  field: z.string(),
  simulated: z
    .boolean()
    .meta({ description: 'True when a sandbox page was checked instead of a website' }),
});

export type CheckResult = z.infer<typeof check>;

const brandBody = z
  .object({
    type: choice(among(brandTypes, 'Choose from the list.')),
    legal_name: text(255),
    dba: text(255),
    ein: text(20),
    registration_id_type: choice(z.enum(registrationIdTypes, 'Choose from the list.')),
    registration_id: text(60),
    stock_exchange: choice(z.enum(stockExchanges, 'Choose from the list.')),
    stock_symbol: text(12),
    industry: choice(z.enum(industries, 'Choose from the list.')),
    website: text(300),
    email: text(254),
    phone: text(40),
    support_email: text(254),
    support_phone: text(40),
    address,
    contact,
  })
  .partial();

const optInBody = z.object({
  type: choice(among(optInTypes, 'Choose from the list.')),
  description: text(2000).default(''),
  url: text(500).default(''),
  keywords: z.array(text(40)).max(10, 'At most 10 keywords.').default([]),
  supporting_files: z
    .array(
      z
        .object({ id })
        .loose()
        .transform((f) => ({ id: f.id })),
    )
    .max(10, 'At most 10 files.')
    .optional()
    .meta({
      description:
        'Files to keep; new ones are sent as supporting_files_0, supporting_files_1 … (the number is the opt-in’s index). Left out: all are kept',
    }),
});

export const numberIds = z
  .array(z.preprocess((v) => (typeof v === 'object' && v !== null && 'id' in v ? v.id : v), id))
  .max(500, 'At most 500 numbers at once.');

const campaignBody = z
  .object({
    use_case: choice(among(useCases, 'Choose from the list.')),
    sub_usecases: z
      .array(among(plainUseCases, 'Choose from the list.'))
      .max(limits.subUseCases.most, `At most ${limits.subUseCases.most} uses.`),
    description: text(limits.description.most),
    sample_messages: z
      .array(text(limits.sample.most))
      .max(limits.samples.most, `At most ${limits.samples.most} samples.`),
    optins: z.array(optInBody).max(5, 'At most 5 ways to opt in.'),
    opt_in_message: text(1024),
    opt_out_message: text(1024),
    help_message: text(1024),
    has_links: flag,
    has_phone_numbers: flag,
    age_gated: flag,
    affiliate_marketing: flag,
    direct_lending: flag,
    privacy_url: text(500),
    terms_url: text(500),
    monthly_volume: choice(among(volumeBands, 'Choose from the list.')),
    numbers: numberIds,
  })
  .partial();

export const verificationBody = z.object({
  brand_id: id.nullish().meta({
    description: 'Use another registration’s brand; by default the registration gets its own',
  }),
  brand: brandBody.optional(),
  campaign: campaignBody.optional(),
  is_draft: flag.optional().meta({
    description: 'A draft can be incomplete. Otherwise everything needed to submit is required',
  }),
  ...companyIn,
});
