import { z } from 'zod';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import {
  brandTypes,
  industries,
  optInTypes,
  plainUseCases,
  registrationChecks,
  registrationKinds,
  registrationStatuses,
  registrationIdTypes,
  stockExchanges,
  useCases,
  volumeBands,
} from './registration-lists.ts';
import { limits } from './registration-rules.ts';

/** SMS verification: brands and campaigns (B §3, decisions A13). Module: compliance. */
const among = <K extends string>(list: Record<K, unknown>, message: string) =>
  z.enum(Object.keys(list) as [K, ...K[]], message);
const text = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);
/** Null and the empty string both mean "not said". */
const choice = <T>(shape: z.ZodType<T>) =>
  z.preprocess((v) => (v === '' ? null : v), shape.nullable()).optional();

const status = z.enum(registrationStatuses);
const kind = z.enum(registrationKinds);
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
const byKind = <T>(shape: z.ZodType<T>) =>
  z.object({ local: shape.nullable(), toll_free: shape.nullable() });
const feeLine = z.object({
  label: z.string(),
  cents: z.number(),
  when: z.enum(['today', 'monthly']),
});

/** One SMS verification: a brand, one of its campaigns, and where each kind of number stands with the carriers. */
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
const check = z.object({
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

// ---- what is said ----------------------------------------------------------------------------------------------------

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
const numberIds = z
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
const verificationBody = z.object({
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
export type VerificationBody = z.infer<typeof verificationBody>;

const place = z.object({ companyId: id });
const one_ = place.extend({ id });
const path = '/companies/{companyId}/sms-verification/campaign';
const brandExample = {
  id: 61,
  is_draft: false,
  status: 'approved' as const,
  type: 'private' as const,
  legal_name: 'Harbor Dental LLC',
  dba: 'Harbor Dental',
  ein: '121234567',
  registration_id_type: null,
  registration_id: '',
  stock_exchange: null,
  stock_symbol: '',
  industry: 'healthcare' as const,
  website: 'https://harbor-dental.test',
  email: 'hello@harbor-dental.test',
  phone: '+12125552300',
  support_email: 'hello@harbor-dental.test',
  support_phone: '+12125552300',
  address: { line1: '1 Harbor Street', city: 'New York', state: 'NY', zip: '10001', country: 'US' },
  contact: {
    first_name: 'Olive',
    last_name: 'Owner',
    title: 'Owner',
    email: 'owner@harbor-dental.test',
    phone: '+12125552300',
  },
  score: 64,
  rejection: [],
};
const example: Verification = {
  id: 71,
  brand: brandExample,
  campaign: {
    id: 71,
    brand_id: 61,
    use_case: 'CUSTOMER_CARE',
    sub_usecases: [],
    description: 'Appointment reminders and answers to questions of patients of the practice.',
    sample_messages: [
      'Harbor Dental: your visit is on Tuesday at 10:30. Reply STOP to stop.',
      'Harbor Dental: your invoice is ready at the desk. Reply STOP to stop.',
    ],
    optins: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the reception desk.',
        url: '',
        keywords: ['JOIN'],
        supporting_files: [],
      },
    ],
    opt_in_message: 'Harbor Dental: you will get reminders. Reply STOP to stop.',
    opt_out_message: 'Harbor Dental: you will get no more texts.',
    help_message: 'Harbor Dental: call (212) 555-2300.',
    has_links: false,
    has_phone_numbers: false,
    age_gated: false,
    affiliate_marketing: false,
    direct_lending: false,
    privacy_url: 'https://harbor-dental.test/privacy',
    terms_url: '',
    monthly_volume: '10,001-25,000',
    numbers: [
      { id: 11, number: '+12125552350', label: 'Reminders', type: 'local', status: 'approved' },
    ],
  },
  status: { local: 'approved', toll_free: null },
  fees: {
    due_today: 0,
    due_today_cents: 0,
    monthly_cents: 1000,
    currency: 'USD',
    lines: [{ label: 'Campaign, monthly', cents: 1000, when: 'monthly' }],
  },
  rates: { local: 120, toll_free: null },
  is_draft: false,
  is_submitted: true,
  rejection: [],
  submitted_at: '2026-11-21T09:15:04.000Z',
  decided_at: '2026-11-21T09:16:04.000Z',
  created_at: '2026-11-21T09:10:04.000Z',
  updated_at: '2026-11-21T09:16:04.000Z',
};
const detailExample: VerificationDetail = {
  ...example,
  history: [
    {
      id: 81,
      at: '2026-11-21T09:16:04.000Z',
      what: 'approved',
      kind: 'local',
      by: 'Carrier',
      rejection: [],
      numbers: [],
    },
  ],
};
const bodyExample = {
  brand: {
    type: 'private',
    legal_name: 'Harbor Dental LLC',
    dba: 'Harbor Dental',
    ein: '12-1234567',
    industry: 'healthcare',
    website: 'https://harbor-dental.test',
    email: 'hello@harbor-dental.test',
    phone: '+12125552300',
    address: brandExample.address,
    contact: brandExample.contact,
  },
  campaign: {
    use_case: 'CUSTOMER_CARE',
    description: example.campaign.description,
    sample_messages: example.campaign.sample_messages,
    optins: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the reception desk.',
        keywords: ['JOIN'],
      },
    ],
    opt_in_message: example.campaign.opt_in_message,
    opt_out_message: example.campaign.opt_out_message,
    help_message: example.campaign.help_message,
    privacy_url: example.campaign.privacy_url,
    monthly_volume: '10,001-25,000',
  },
};

// ---- the nine calls (B §7) ---------------------------------------------------------------------------------------------

export const listSmsCampaigns = endpoint({
  name: 'listSmsCampaigns',
  method: 'GET',
  path,
  summary: 'List brands and campaigns with their status',
  permission: 'smsVerification.view',
  company: 'path',
  params: place,
  paged: true,
  query: listQuery(
    {
      sort: sortBy('created_at', 'updated_at', 'brand'),
      status: z.enum(registrationStatuses).optional(),
      search: z.string().trim().max(100).optional(),
      number_id: id.optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(verification),
  example: { params: { companyId: 1 }, query: { status: 'approved' }, answer: { data: [example] } },
});
export const getSmsCampaign = endpoint({
  name: 'getSmsCampaign',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get one registration with its history',
  permission: 'smsVerification.view',
  company: 'path',
  params: one_,
  answer: one(verificationDetail),
  example: { params: { companyId: 1, id: 71 }, answer: { data: detailExample } },
});
const writes = ['registration.locked', 'registration.number_in_use'] as const;
export const createSmsCampaign = endpoint({
  name: 'createSmsCampaign',
  method: 'POST',
  path,
  summary: 'Create a registration; with is_draft it can be incomplete. Files are sent as multipart',
  permission: 'smsVerification.edit',
  company: 'path',
  params: place,
  multipart: true,
  status: 201,
  body: verificationBody,
  answer: one(verificationDetail),
  refusals: writes,
  example: { params: { companyId: 1 }, body: bodyExample, answer: { data: detailExample } },
});
export const updateSmsCampaign = endpoint({
  name: 'updateSmsCampaign',
  method: 'PUT',
  path: `${path}/{id}`,
  summary:
    'Update a registration that isn’t under review at the carrier; fields left out stay unchanged',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  multipart: true,
  etagOf: 'getSmsCampaign',
  object: { table: 'sms_campaign', param: 'id' },
  body: verificationBody,
  answer: one(verificationDetail),
  refusals: writes,
  example: {
    params: { companyId: 1, id: 71 },
    body: { campaign: { description: example.campaign.description } },
    answer: { data: detailExample },
  },
});
export const submitSmsCampaign = endpoint({
  name: 'submitSmsCampaign',
  method: 'POST',
  path: `${path}/{id}/submit`,
  summary:
    'Check a registration and submit it for review, also again after a rejection. With checks_only nothing is submitted',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  body: z.object({ checks_only: flag.default(false), ...companyIn }),
  answer: z.object({ data: verificationDetail, checks: z.array(check) }),
  refusals: ['registration.checks_failed', 'registration.locked'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { checks_only: false },
    answer: {
      data: detailExample,
      checks: [
        {
          code: 'website',
          ok: true,
          title: 'The website responds',
          fix: null,
          field: 'brand.website',
          simulated: true,
        },
      ],
    },
  },
});
export const deleteSmsCampaign = endpoint({
  name: 'deleteSmsCampaign',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a draft, or a registration that has ended',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  answer: empty,
  status: 204,
  refusals: ['registration.active'],
  example: { params: { companyId: 1, id: 71 } },
});
export const cancelSmsCampaign = endpoint({
  name: 'cancelSmsCampaign',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary:
    'Ask the carrier to cancel the local or toll-free registration; its numbers are no longer verified',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  body: z.object({ type: kind, ...companyIn }),
  answer: one(verificationDetail),
  refusals: ['registration.not_cancelable'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { type: 'local' },
    answer: { data: detailExample },
  },
});
const numbersBody = z.object({
  numbers: numberIds.min(1, 'Choose at least one number.'),
  ...companyIn,
});
export const addSmsCampaignNumbers = endpoint({
  name: 'addSmsCampaignNumbers',
  method: 'POST',
  path: `${path}/{id}/add-numbers`,
  summary: 'Add numbers; each is submitted to the carrier and gets its own status',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  body: numbersBody,
  answer: one(verificationDetail),
  refusals: ['registration.number_in_use', 'registration.ended'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { numbers: [11] },
    answer: { data: detailExample },
  },
});
export const removeSmsCampaignNumbers = endpoint({
  name: 'removeSmsCampaignNumbers',
  method: 'POST',
  path: `${path}/{id}/remove-numbers`,
  summary: 'Remove numbers; they’re no longer verified',
  permission: 'smsVerification.edit',
  company: 'path',
  params: one_,
  body: numbersBody,
  answer: one(verificationDetail),
  example: {
    params: { companyId: 1, id: 71 },
    body: { numbers: [11] },
    answer: { data: detailExample },
  },
});

// ---- events ------------------------------------------------------------------------------------------------------------

export const smsVerificationChanged = event({
  name: 'sms-verification.changed',
  channel: 'companies',
  touches: ['listSmsCampaigns', 'getSmsCampaign'],
  data: z.object({
    campaignId: id,
    status: byKind(status),
    brandStatus: status,
    because: z.string().nullable(),
  }),
});
/** Heard by numbers: where one number stands now. `none`: it belongs to no registration any more. */
export const numberVerificationChanged = event({
  name: 'number.verification_changed',
  channel: null,
  data: z.object({
    numberId: id,
    status: z.enum([...registrationStatuses, 'none']),
    campaignId: id.nullable(),
    reason: z.string().nullable(),
    at: instant,
  }),
});
