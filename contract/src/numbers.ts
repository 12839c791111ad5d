import { z } from 'zod';
import { eavFilter, fieldValue, fieldValuesIn } from './fields.ts';
import {
  companyIn,
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
import { isTollFree, normalizePhone } from './phone.ts';
import { numberTrigger } from './triggers.ts';

export * from './vanity.ts';

/** B §3. */
export const numberKinds = { 1: 'Voice & SMS', 2: 'International', 3: 'Fax' } as const;
export const numberCategories = {
  1: 'Toll-Free Voice & SMS',
  2: 'Local Voice & SMS',
  3: 'Fax number',
  4: 'Bulk numbers',
} as const;
export const numberProviders = {
  1: 'Bandwidth',
  2: 'Somos',
  3: 'Twilio',
  4: 'Bandwidth Dashboard',
} as const;
/** A §9, B §5. `8**` means any of them. */
export const tollFreePrefixes = ['800', '888', '877', '866', '855', '844', '833'] as const;
export const matchModes = ['Contains', 'Starts with', 'Ends with'] as const;
export const routingTypes = [
  'standard',
  'simultaneous',
  'sequential',
  'geo',
  'voicemail',
  'in-app-calling',
] as const;

/** A located number is held this long for whoever searched (A6.2). */
export const reservationSeconds = 600;
/** Answers of a search may be reused this long (B §9); availability is checked again at purchase. */
export const searchCacheSeconds = 300;
/** More than these in one purchase become a job (A6.2). */
export const maxImmediatePurchase = 20;
export const maxPurchase = 500;
/** A removed number can be kept after all for this long; then it goes back to the carrier (A6.2). */
export const undoHours = 72;

const oneOf = <K extends number>(labels: Record<K, string>, description: string) =>
  z.coerce
    .number<number>()
    .int()
    .refine((n) => n in labels, 'Choose one from the list.')
    .transform((n) => n as K)
    .meta({ description });
export const category = oneOf(
  numberCategories,
  '1 Toll-Free Voice & SMS, 2 Local Voice & SMS, 3 Fax number, 4 Bulk numbers',
);
export const numberStatuses = [
  'active',
  'pending',
  'porting',
  'suspended',
  'parked',
  'releasing',
  'released',
] as const;
export const numberStatus = z.enum(numberStatuses);
/** Where a number's registration for business texting stands (A13). */
export const verificationStatuses = [
  'draft',
  'submitted',
  'in_review',
  'action_required',
  'approved',
  'rejected',
  'canceling',
  'expired',
  'suspended',
] as const;

const number12 = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const number14 = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
const e164 = z
  .string()
  .max(40)
  .transform((typed, refine) => {
    const number = normalizePhone(typed);
    if (number === null)
      refine.addIssue({ code: 'custom', message: `“${typed}” isn’t a phone number.` });
    return number ?? '';
  });

export const numberTag = z.object({ id, name: z.string(), color: z.string() });
const verificationStatus = {
  status: z
    .enum(verificationStatuses)
    .nullable()
    .meta({ description: 'null: this number has no registration' }),
  needed: z
    .boolean()
    .meta({ description: 'Texts from it are rejected until its registration is approved' }),
};
export const smsVerification = z.object({
  ...verificationStatus,
  campaign_id: id.nullable(),
  type: z.enum(['local', 'toll_free']),
  updated_at: instant.nullable(),
  reason: z.string().nullable(),
});
export const numberVoicemail = z.object({
  enabled: z.boolean(),
  greeting_id: id.nullable(),
  greeting: z
    .string()
    .nullable()
    .meta({ description: 'Text read to the caller; null: the default text' }),
  transcribe: z.boolean(),
  email: z.array(z.string()),
  sms_notify: z.boolean(),
});

export const numberPort = z.object({
  id,
  status: z.string(),
  losing_carrier: z.string(),
  completed_at: instant.nullable(),
});

/** A6.1 without `routes`, which routing adds. `returns_at` is ours: when a number being released goes back to the carrier. */
export const numberDetail = z.object({
  id,
  number: z.string().meta({ description: 'E.164' }),
  formatted: z.string(),
  label: z.string(),
  status: numberStatus,
  kind: number12,
  category: number14,
  provider_id: number14,
  provider_ref: z.string().nullable(),
  is_toll_free: z.boolean(),
  is_vanity: z.boolean(),
  vanity_text: z.string().nullable(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  rate_center: z.string(),
  area_code: z.string(),
  timezone: z.string().nullable(),
  routingType: z.enum(routingTypes),
  forwardNumber: z.string().nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail: numberVoicemail,
  record: z.boolean(),
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: z.string().nullable(),
  recording_announcement_greeting_id: id
    .nullable()
    .meta({ description: 'With custom: a greeting instead of text' }),
  recording_retention_days: z.number().nullable(),
  call_transcription_enabled: z.boolean(),
  ai_eav_enabled: z.boolean(),
  sms_enabled: z.boolean(),
  mms_enabled: z.boolean(),
  fax_enabled: z.boolean(),
  sms_verification: smsVerification,
  caller_id_name: z.string().nullable(),
  spam_status: z.enum(['unknown', 'clean', 'flagged']),
  spam_checked_at: instant.nullable(),
  e911: z.object({ enabled: z.boolean(), address_id: id.nullable() }),
  triggers: z.array(numberTrigger),
  tags: z.array(numberTag),
  dni_pool_id: id.nullable(),
  template_id: id.nullable(),
  port: numberPort.nullable().meta({ description: 'The port request that brought it here' }),
  hasNotificationBlocks: z.boolean(),
  unread_messages_count: z.number(),
  eavAttributeValues: z.array(fieldValue),
  user_ids: z.array(id).meta({
    description:
      'People limited to certain numbers that include this one; people who see every number aren’t listed',
  }),
  monthly_price_cents: z.number(),
  currency: z.literal('USD'),
  purchased_at: instant,
  last_call_at: instant.nullable(),
  last_message_at: instant.nullable(),
  last_swap_at: instant.nullable(),
  next_renewal_at: instant.nullable(),
  releasing_at: instant.nullable(),
  returns_at: instant.nullable(),
  lease: z
    .object({
      listing_id: id,
      ends_at: instant.nullable(),
      monthly_cents: z.number().nullable(),
      term_months: z.number().nullable(),
      notice_at: instant.nullable(),
      renewable: z.boolean(),
    })
    .nullable()
    .meta({ description: 'Leased on the marketplace; then it returns to its owner' }),
  created_at: instant,
  updated_at: instant,
});
export type NumberDetail = z.infer<typeof numberDetail>;

/** List row (A6.1). */
export const numberRow = z.object({
  id,
  number: z.string(),
  formatted: z.string(),
  label: z.string(),
  category: number14,
  kind: number12,
  status: numberStatus,
  routingType: z.enum(routingTypes),
  forwardNumber: z.string().nullable(),
  tags: z.array(numberTag),
  region: z.string(),
  city: z.string(),
  sms_enabled: z.boolean(),
  sms_verification: z.object(verificationStatus),
  dni_pool: z.object({ id, name: z.string() }).nullable(),
  record: z.boolean(),
  unread_messages_count: z.number(),
  last_call_at: instant.nullable(),
  last_message_at: instant.nullable(),
  returns_at: instant.nullable(),
  purchased_at: instant,
  eavAttributeValues: z.array(fieldValue),
});
export type NumberRow = z.infer<typeof numberRow>;
export const numberSlim = z.object({
  id,
  number: z.string(),
  formatted: z.string(),
  label: z.string(),
  sms_enabled: z.boolean(),
  category: number14,
  status: numberStatus,
});

/** PUT /numbers/{id}, everything but routes: what is left out stays as it is. */
export const numberPatch = z
  .object({
    label: z.string().trim().max(80, 'At most 80 characters.'),
    tags: z
      .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
      .max(50),
    record: flag,
    recording_announcement: z.enum(['none', 'default', 'custom']),
    recording_announcement_text: z.string().trim().max(1000, 'At most 1000 characters.').nullable(),
    recording_announcement_greeting_id: id.nullable(),
    recording_retention_days: z.coerce
      .number<number>()
      .int()
      .min(30, 'At least 30 days.')
      .max(3650, 'At most 3650 days.')
      .nullable(),
    call_transcription_enabled: flag,
    ai_eav_enabled: flag,
    sms_enabled: flag,
    mms_enabled: flag,
    fax_enabled: flag,
    caller_id_name: z
      .string()
      .trim()
      .max(15, 'At most 15 characters.')
      .regex(/^[A-Za-z0-9 .,&'-]*$/, 'Use letters, digits and spaces.')
      .nullable(),
    voicemail: z
      .object({
        enabled: flag,
        greeting_id: id.nullable(),
        greeting: z.string().trim().max(1000, 'At most 1000 characters.').nullable(),
        transcribe: flag,
        email: z
          .array(z.email('Enter an email address.').max(254))
          .max(20, 'At most 20 addresses.'),
        sms_notify: flag,
      })
      .partial(),
    schedule_id: id.nullable(),
    greeting_id: id.nullable(),
    user_ids: z.array(id).max(500),
    eavAttributeValues: fieldValuesIn,
  })
  .partial();
export type NumberPatch = z.infer<typeof numberPatch>;

// ---- searching and buying --------------------------------------------------------------------------------------------

const areaCode = z
  .string()
  .trim()
  .regex(/^([2-9]\d{2}|8\*\*)$/, 'Use the three digits of an area code.');
export const locateIn = z.object({
  country: z.enum(['US', 'CA'], 'Numbers in this country can’t be bought here yet.').default('US'),
  category: category.default(2),
  areaCode: areaCode.optional(),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Use two letters.')
    .optional(),
  city: z.string().trim().max(80).optional(),
  pattern: z
    .string()
    .trim()
    .max(20)
    .regex(/^([A-Za-z0-9* ()+.-]*)$/, 'Use digits, letters and *.')
    .optional()
    .meta({
      description:
        'Digits, letters (as on a keypad), * for any digit, or the ID of a pattern from GET /patterns, such as AABB',
    }),
  match: z.enum(matchModes).default('Contains'),
  words: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9]{2,10}$/, 'Two to ten letters or digits.'),
    )
    .max(10)
    .optional(),
  limit: z.coerce.number<number>().int().min(1).max(50, 'At most 50.').default(1),
  exclude: z
    .array(e164)
    .max(500)
    .optional()
    .meta({ description: 'Numbers already shown; others are returned' }),
});
export const located = z.object({
  number: z.string(),
  formatted: z.string(),
  vanity_text: z.string().nullable(),
  category: number14,
  region: z.string(),
  city: z.string(),
  rate_center: z.string(),
  area_code: z.string(),
  timezone: z.string().nullable(),
  monthly_cents: z.number(),
  setup_cents: z.number(),
  currency: z.literal('USD'),
  provider_id: number14,
  carrier: z.object({ name: z.string(), label: z.string(), simulated: z.boolean() }).meta({
    description: 'The seller; a simulated number reaches no one outside this installation',
  }),
  features: z.array(z.enum(['voice', 'sms', 'mms', 'fax'])),
  reservation_id: id,
  expires_at: instant.meta({ description: 'Reserved for you until then' }),
});
export type Located = z.infer<typeof located>;
/** Carriers whose numbers are missing, each with the reason as a sentence. */
const locatedMeta = z.object({
  away: z.array(z.object({ carrier: z.string(), reason: z.string() })),
});
const locatedExample = {
  number: '+14155552368',
  formatted: '(415) 555-2368',
  vanity_text: null,
  category: 2 as const,
  region: 'CA',
  city: 'San Francisco',
  rate_center: 'SNFC CNTRL',
  area_code: '415',
  timezone: 'America/Los_Angeles',
  monthly_cents: 300,
  setup_cents: 0,
  currency: 'USD' as const,
  provider_id: 1 as const,
  carrier: { name: 'sandbox', label: 'Sandbox', simulated: true },
  features: ['voice' as const, 'sms' as const, 'mms' as const],
  reservation_id: 9,
  expires_at: '2026-11-21T09:25:04.000Z',
};

export const locateNumbers = endpoint({
  name: 'locateNumbers',
  method: 'POST',
  path: '/numbers/locate',
  summary: 'Search for numbers to buy; each result is reserved for you for ten minutes',
  permission: 'numbers.buy',
  company: 'given',
  body: locateIn.extend(companyIn),
  answer: z.object({ data: z.array(located), meta: locatedMeta }),
  refusals: ['carrier.unreachable', 'carrier.refused'],
  example: {
    body: { category: 2, areaCode: '415', pattern: '2368', match: 'Ends with', limit: 1 },
    answer: { data: [locatedExample], meta: { away: [] } },
  },
});
export const locateNumbersInBulk = endpoint({
  name: 'locateNumbersInBulk',
  method: 'POST',
  path: '/numbers/locate-bulk',
  summary: 'Search for many numbers, with a quantity per area code',
  permission: 'numbers.buy',
  company: 'given',
  body: z
    .object({
      items: z
        .array(
          z.object({
            areaCode,
            count: z.coerce.number<number>().int().min(1, 'At least 1.').max(200, 'At most 200.'),
          }),
        )
        .min(1, 'Enter an area code.')
        .max(50),
      category: category.default(2),
      ...companyIn,
    })
    .refine((b) => b.items.reduce((sum, item) => sum + item.count, 0) <= maxPurchase, {
      path: ['items'],
      message: `At most ${maxPurchase} numbers at once.`,
    }),
  answer: z.object({
    data: z.array(
      z.object({
        areaCode: z.string(),
        count: z.number(),
        found: z.array(located),
        missing: z.number(),
      }),
    ),
    meta: locatedMeta,
  }),
  refusals: ['carrier.unreachable', 'carrier.refused'],
  example: {
    body: { items: [{ areaCode: '415', count: 1 }] },
    answer: {
      data: [{ areaCode: '415', count: 1, found: [locatedExample], missing: 0 }],
      meta: { away: [] },
    },
  },
});

const numberExample: NumberDetail = {
  id: 11,
  number: '+14155552368',
  formatted: '(415) 555-2368',
  label: 'Front desk',
  status: 'active',
  kind: 1,
  category: 2,
  provider_id: 1,
  provider_ref: 'sb-14155552368',
  is_toll_free: false,
  is_vanity: false,
  vanity_text: null,
  country: 'US',
  region: 'CA',
  city: 'San Francisco',
  rate_center: 'SNFC CNTRL',
  area_code: '415',
  timezone: 'America/Los_Angeles',
  routingType: 'standard',
  forwardNumber: null,
  schedule_id: null,
  greeting_id: null,
  voicemail: {
    enabled: true,
    greeting_id: null,
    greeting: null,
    transcribe: true,
    email: [],
    sms_notify: false,
  },
  record: false,
  recording_announcement: 'default',
  recording_announcement_text: null,
  recording_announcement_greeting_id: null,
  recording_retention_days: null,
  call_transcription_enabled: false,
  ai_eav_enabled: false,
  sms_enabled: true,
  mms_enabled: true,
  fax_enabled: false,
  sms_verification: {
    status: null,
    needed: false,
    campaign_id: null,
    type: 'local',
    updated_at: null,
    reason: null,
  },
  caller_id_name: null,
  spam_status: 'unknown',
  spam_checked_at: null,
  e911: { enabled: false, address_id: null },
  triggers: [],
  tags: [],
  dni_pool_id: null,
  template_id: null,
  port: null,
  hasNotificationBlocks: false,
  unread_messages_count: 0,
  eavAttributeValues: [],
  user_ids: [],
  monthly_price_cents: 300,
  currency: 'USD',
  purchased_at: '2026-11-21T09:15:04.000Z',
  last_call_at: null,
  last_message_at: null,
  last_swap_at: null,
  next_renewal_at: '2026-12-21T09:15:04.000Z',
  releasing_at: null,
  returns_at: null,
  lease: null,
  created_at: '2026-11-21T09:15:04.000Z',
  updated_at: '2026-11-21T09:15:04.000Z',
};
/** For the examples of endpoints that answer a number. */
export const exampleNumber = numberExample;

/** A1's answer of a job that was begun. */
export const batchStarted = z.object({ batchId: z.uuid(), status: z.literal('queued') });
/** A1's answer to how far a job is. */
export const batchProgress = z.object({
  id: z.uuid(),
  progress: z.number().meta({ description: '0 to 100' }),
  finishedAt: instant.nullable(),
  total: z.number(),
  processed: z.number(),
  failed: z.number(),
  resultUrl: z.string().nullable(),
  errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
});

export const buyNumbers = endpoint({
  name: 'buyNumbers',
  method: 'POST',
  path: '/numbers',
  summary: `Buy numbers: all or none. More than ${maxImmediatePurchase} are bought by a job that keeps what it gets (202)`,
  permission: 'numbers.buy',
  company: 'given',
  status: 201,
  body: z
    .object({
      numbers: z
        .array(e164)
        .max(maxPurchase, `At most ${maxPurchase} numbers at once.`)
        .default([]),
      reservationIds: z.array(id).max(maxPurchase).default([]),
      category: category.optional(),
      template_id: id.nullish().meta({
        description: 'A number template: its settings and routes are copied to every number bought',
      }),
      label: z.string().trim().max(80, 'At most 80 characters.').optional(),
      tags: z.array(z.string().trim().min(1).max(50)).max(50).optional(),
      ...companyIn,
    })
    .refine((b) => b.numbers.length + b.reservationIds.length > 0, {
      path: ['numbers'],
      message: 'Choose at least one number.',
    }),
  answer: z.union([z.object({ data: z.array(numberDetail) }), one(batchStarted)]),
  refusals: ['numbers.taken', 'numbers.limit', 'carrier.unreachable'],
  example: {
    body: { numbers: ['+14155552368'], label: 'Front desk' },
    answer: { data: [numberExample] },
  },
});
export const bulkPurchaseProgress = endpoint({
  name: 'bulkPurchaseProgress',
  method: 'GET',
  path: '/numbers/progress/{batchId}',
  summary: 'Get the progress of a bulk purchase',
  permission: 'numbers.buy',
  company: 'given',
  object: { table: 'batch', param: 'batchId' },
  params: z.object({ batchId: z.uuid() }),
  query: z.object({ ...companyIn }),
  answer: one(batchProgress.extend({ purchased: z.array(z.object({ id, number: z.string() })) })),
  example: {
    params: { batchId: '0199a8f0-0000-7000-8000-000000000001' },
    answer: {
      data: {
        id: '0199a8f0-0000-7000-8000-000000000001',
        progress: 100,
        finishedAt: '2026-11-21T09:15:09.000Z',
        total: 25,
        processed: 25,
        failed: 0,
        resultUrl: null,
        errors: [],
        purchased: [{ id: 11, number: '+14155552368' }],
      },
    },
  },
});

// ---- lists -----------------------------------------------------------------------------------------------------------

const among = <T extends string>(words: readonly T[]) => z.enum(words as readonly [T, ...T[]]);
export const numberFilters = {
  search: z
    .string()
    .trim()
    .max(100)
    .optional()
    .meta({ description: 'Part of the number, label, city or vanity word' }),
  status: z
    .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(numberStatus))
    .optional()
    .meta({ description: 'By default every number that is still yours' }),
  category: category.optional(),
  kind: oneOf(numberKinds, '1 Voice & SMS, 2 International, 3 Fax').optional(),
  routingType: among(routingTypes).optional(),
  tag: z.string().max(50).optional(),
  areaCode: z.string().max(3).optional(),
  region: z.string().max(2).optional(),
  sms: flag.optional(),
  verified: flag.optional(),
  recorded: flag.optional(),
  in_pool: flag.optional(),
  unread: flag.optional(),
  unused: flag.optional().meta({ description: 'No call or text for 30 days' }),
  eav: eavFilter,
};
export const numberSorts = [
  'number',
  'label',
  'status',
  'category',
  'routingType',
  'last_call_at',
  'last_message_at',
  'purchased_at',
  'created_at',
  'unread_messages_count',
] as const;

const listed = listQuery(
  {
    ...numberFilters,
    sort: sortBy(...numberSorts),
    withTrashed: flag.optional().meta({ description: 'Include released numbers (administrators)' }),
  },
  { perPage: 25 },
);
export const listNumbers = endpoint({
  name: 'listNumbers',
  method: 'GET',
  path: '/numbers',
  summary: 'List the company’s numbers with their settings',
  permission: 'numbers.view',
  company: 'given',
  paged: true,
  refusals: ['role.forbidden'],
  query: listed,
  answer: pageOf(numberDetail),
  example: { query: { search: '415' }, answer: { data: [numberExample] } },
});
export const listNumbersDatatable = endpoint({
  name: 'listNumbersDatatable',
  method: 'GET',
  path: '/numbers/datatable',
  summary: 'List rows of the numbers table',
  permission: 'numbers.view',
  company: 'given',
  paged: true,
  refusals: ['role.forbidden'],
  query: listed,
  answer: pageOf(numberRow),
  example: {
    query: { sms: true, sort: 'label', dir: 'asc' },
    answer: {
      data: [
        {
          id: 11,
          number: '+14155552368',
          formatted: '(415) 555-2368',
          label: 'Front desk',
          category: 2,
          kind: 1,
          status: 'active',
          routingType: 'standard',
          forwardNumber: null,
          tags: [],
          region: 'CA',
          city: 'San Francisco',
          sms_enabled: true,
          sms_verification: { status: null, needed: false },
          dni_pool: null,
          record: false,
          unread_messages_count: 0,
          last_call_at: null,
          last_message_at: null,
          returns_at: null,
          purchased_at: '2026-11-21T09:15:04.000Z',
          eavAttributeValues: [],
        },
      ],
    },
  },
});
export const listNumbersOfCompany = endpoint({
  name: 'listNumbersOfCompany',
  method: 'GET',
  path: '/numbers/list/{id}',
  summary: 'List all numbers of a company in short form',
  permission: 'numbers.view',
  company: 'path',
  params: z.object({ id: id.meta({ description: 'The company' }) }),
  answer: z.object({ data: z.array(numberSlim) }),
  example: {
    params: { id: 1 },
    answer: {
      data: [
        {
          id: 11,
          number: '+14155552368',
          formatted: '(415) 555-2368',
          label: 'Front desk',
          sms_enabled: true,
          category: 2,
          status: 'active',
        },
      ],
    },
  },
});
export const numberStats = endpoint({
  name: 'numberStats',
  method: 'GET',
  path: '/numbers/stats',
  summary: 'Count the company’s numbers',
  permission: 'numbers.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      total: z.number(),
      local: z.number(),
      toll_free: z.number(),
      fax: z.number(),
      bulk: z.number(),
      sms_enabled: z.number(),
      verified: z.number(),
      in_pools: z.number(),
      unused_30d: z.number(),
      pending_ports: z.number(),
      releasing: z.number(),
    }),
  ),
  example: {
    answer: {
      data: {
        total: 12,
        local: 9,
        toll_free: 2,
        fax: 1,
        bulk: 0,
        sms_enabled: 11,
        verified: 0,
        in_pools: 0,
        unused_30d: 3,
        pending_ports: 0,
        releasing: 0,
      },
    },
  },
});
export const companyAreaCodes = endpoint({
  name: 'companyAreaCodes',
  method: 'GET',
  path: '/company/{companyId}/area-codes',
  summary: 'List area codes of the company’s numbers, most used first',
  permission: 'numbers.view',
  company: 'path',
  params: z.object({ companyId: id }),
  answer: z.object({
    data: z.array(
      z.object({
        area_code: z.string(),
        state: z.string().nullable(),
        region: z.string(),
        timezone: z.string().nullable(),
        is_toll_free: z.boolean(),
        count: z.number(),
      }),
    ),
  }),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          area_code: '415',
          state: 'CA',
          region: 'California',
          timezone: 'America/Los_Angeles',
          is_toll_free: false,
          count: 4,
        },
      ],
    },
  },
});

// ---- giving up -------------------------------------------------------------------------------------------------------

export const removeNumber = endpoint({
  name: 'removeNumber',
  method: 'POST',
  path: '/numbers/{id}/remove',
  summary: `Release a number: calls and texts stop immediately. It can be kept for ${undoHours} hours, then it returns to the carrier. With undo, keep it`,
  permission: 'numbers.buy',
  company: 'object',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: z.object({
    reason: z.string().trim().max(500).nullish(),
    undo: flag.default(false),
    ...companyIn,
  }),
  answer: one(numberDetail),
  refusals: ['number.in_pool', 'numbers.not_releasing'],
  example: {
    params: { id: 11 },
    body: { reason: 'No longer advertised' },
    answer: {
      data: {
        ...numberExample,
        status: 'releasing',
        releasing_at: '2026-11-21T09:15:04.000Z',
        returns_at: '2026-11-24T09:15:04.000Z',
      },
    },
  },
});

// ---- many at once ----------------------------------------------------------------------------------------------------

/** Which numbers: named, or all that fit the filters of the list. */
const manyNumbers = {
  ids: z.array(id).max(100_000).default([]),
  all: flag.default(false),
  filters: z.object(numberFilters).partial().default({}),
  ...companyIn,
};
const someNumbers = (b: { ids: readonly number[]; all: boolean }): boolean =>
  b.all || b.ids.length > 0;
const chooseSome = { path: ['ids'], message: 'Choose at least one number.' };
const tagName = z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.');
/** What can be changed on many numbers at once. */
export const bulkPatch = z
  .object({
    label: numberPatch.shape.label,
    tags: z.array(tagName).max(50),
    add_tags: z.array(tagName).max(50),
    remove_tags: z.array(tagName).max(50),
    record: flag,
    call_transcription_enabled: flag,
    recording_announcement: z.enum(['none', 'default']),
    recording_retention_days: numberPatch.shape.recording_retention_days,
    sms_enabled: flag,
    template_id: id,
    eavAttributeValues: fieldValuesIn,
  })
  .partial()
  .strict();
export type BulkPatch = z.infer<typeof bulkPatch>;
export const updateNumbersInBulk = endpoint({
  name: 'updateNumbersInBulk',
  method: 'PUT',
  path: '/v1/numbers',
  summary:
    'Update many numbers by ID, or all that match the filters. Runs as a job, with live progress',
  permission: 'numbers.buy',
  company: 'given',
  status: 202,
  body: z
    .object({
      ...manyNumbers,
      patch: bulkPatch.refine((p) => Object.keys(p).length > 0, 'Enter what to change.'),
    })
    .refine(someNumbers, chooseSome),
  answer: one(batchStarted.extend({ total: z.number() })),
  example: {
    body: { ids: [11, 12], patch: { label: 'Front desk', add_tags: ['Sales'] } },
    answer: {
      data: { batchId: '0199a8f0-0000-7000-8000-000000000001', status: 'queued', total: 2 },
    },
  },
});
export const removeNumbersInBulk = endpoint({
  name: 'removeNumbersInBulk',
  method: 'POST',
  path: '/numbers/remove-bulk',
  summary: `Release many numbers, or (undo) keep them within ${undoHours} hours. Runs as a job, with live progress`,
  permission: 'numbers.buy',
  company: 'given',
  status: 202,
  body: z
    .object({
      ...manyNumbers,
      reason: z.string().trim().max(500).nullish(),
      undo: flag.default(false),
    })
    .refine(someNumbers, chooseSome),
  answer: one(batchStarted.extend({ total: z.number() })),
  example: {
    body: { ids: [11, 12], reason: 'No longer advertised' },
    answer: {
      data: { batchId: '0199a8f0-0000-7000-8000-000000000001', status: 'queued', total: 2 },
    },
  },
});
export const exportColumns = [
  'number',
  'label',
  'status',
  'category',
  'kind',
  'place',
  'routingType',
  'forwardNumber',
  'texts',
  'verification',
  'tags',
  'record',
  'unread',
  'last_call_at',
  'last_message_at',
  'last_used',
  'purchased_at',
  'monthly_price',
  'id',
] as const;
export const exportNumbers = endpoint({
  name: 'exportNumbers',
  method: 'GET',
  path: '/numbers/datatable/export',
  summary:
    'Export the numbers table as CSV: same filters and order, selected columns. The signed link works for 15 minutes',
  permission: 'exports.make',
  company: 'given',
  limit: 'exports',
  query: listQuery(
    {
      ...numberFilters,
      sort: sortBy(...numberSorts),
      columns: z
        .preprocess(
          (v) => (typeof v === 'string' ? v.split(',') : v),
          z
            .array(
              z.union([
                z.enum(exportColumns),
                z
                  .string()
                  .regex(/^eav:[a-z][a-z0-9_]{0,59}$/) as unknown as z.ZodType<`eav:${string}`>,
              ]),
            )
            .min(1),
        )
        .optional()
        .meta({ description: '`eav:<key>` for a custom field' }),
      tz: z.string().max(60).optional().meta({ description: 'Time zone of dates; UTC by default' }),
    },
    { perPage: 25 },
  ),
  answer: one(z.object({ url: z.string(), name: z.string(), rows: z.number() })),
  example: {
    query: { sms: true, columns: ['number', 'label'] },
    answer: {
      data: {
        url: '/api/files/71?company=1&expires=1&signature=s',
        name: 'numbers-2026-11-21.csv',
        rows: 12,
      },
    },
  },
});

// ---- exchanging ------------------------------------------------------------------------------------------------------

/** Callers of an exchanged number reach the new one for this long (A6.2). */
export const forwardDays = 30;
export const rotateNumber = endpoint({
  name: 'rotateNumber',
  method: 'POST',
  path: '/numbers/{id}/rotate',
  summary: `Exchange a number: buy another one with its settings, tags, people and routes. Callers to the old number reach the new one for ${forwardDays} days, then it returns to the carrier`,
  permission: 'numbers.buy',
  company: 'object',
  object: { table: 'number', param: 'id' },
  status: 201,
  params: z.object({ id }),
  body: z.object({
    same_area: flag
      .default(true)
      .meta({ description: 'The same area code; otherwise also others in the state' }),
    keep_routing: flag.default(true),
    ...companyIn,
  }),
  answer: one(numberDetail.extend({ rotated_from: id })),
  refusals: [
    'numbers.cannot_rotate',
    'numbers.none_found',
    'numbers.limit',
    'carrier.refused',
    'carrier.unreachable',
  ],
  example: {
    params: { id: 11 },
    body: { same_area: true, keep_routing: true },
    answer: {
      data: {
        ...numberExample,
        id: 12,
        number: '+14155552371',
        formatted: '(415) 555-2371',
        rotated_from: 11,
      },
    },
  },
});

// ---- what happened to a number (A6.5) --------------------------------------------------------------------------------

export const timelineTypes = [
  'purchased',
  'ported_in',
  'label_changed',
  'routing_changed',
  'schedule_changed',
  'template_applied',
  'pool_joined',
  'pool_left',
  'lease_started',
  'lease_ended',
  'swap_seen',
  'call',
  'message',
  'blocked_call',
  'sms_status_changed',
  'custom_field_changed',
  'tag_added',
  'tag_removed',
  'rotated',
  'suspended',
  'released',
  'kept',
  'settings_changed',
] as const;
export type TimelineType = (typeof timelineTypes)[number];
export const timelineEvent = z.object({
  id: z.number(),
  at: instant,
  type: z.enum(timelineTypes),
  actor: z.object({
    type: z.enum(['user', 'key', 'system', 'platform']),
    id: id.nullable(),
    name: z.string(),
  }),
  summary: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  eav_attribute_values: z.array(fieldValue),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;
/** Answers of a timeline may be reused this long (B §9). */
export const timelineFreshSeconds = 5;
const ofTimeline = z.object({
  companyId: id,
  number: z.string().max(40).meta({ description: 'E.164, including numbers that were released' }),
});
export const numberTimelineMetaData = endpoint({
  name: 'numberTimelineMetaData',
  method: 'GET',
  path: '/companies/{companyId}/dniTimelineMetaData/{number}',
  summary: 'What a number’s timeline contains, and its latest event',
  permission: 'dni.view',
  company: 'path',
  params: ofTimeline,
  answer: z.object({
    data: z.object({
      number: z.string(),
      number_id: id,
      label: z.string(),
      pool: z.object({ id, name: z.string() }).nullable(),
      first_seen: instant,
      event_count: z.number(),
    }),
    meta: z.object({
      lastActivity: z
        .object({
          type: z.enum(timelineTypes),
          at: instant,
          eav_attribute_values: z.array(fieldValue),
        })
        .nullable(),
    }),
  }),
  example: {
    params: { companyId: 1, number: '+14155552368' },
    answer: {
      data: {
        number: '+14155552368',
        number_id: 11,
        label: 'Front desk',
        pool: null,
        first_seen: '2026-11-21T09:15:04.000Z',
        event_count: 2,
      },
      meta: {
        lastActivity: {
          type: 'label_changed',
          at: '2026-11-21T09:20:00.000Z',
          eav_attribute_values: [],
        },
      },
    },
  },
});
export const numberTimelineEvents = endpoint({
  name: 'numberTimelineEvents',
  method: 'GET',
  path: '/companies/{companyId}/dniTimelineEventsByNumber/{number}',
  summary: 'List what happened to a number, newest first',
  permission: 'dni.view',
  company: 'path',
  params: ofTimeline,
  query: z.object({
    types: z
      .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(z.enum(timelineTypes)))
      .optional(),
    cursor: z.string().max(200).optional(),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .transform((n) => Math.min(n, 200))
      .default(50),
    ...companyIn,
  }),
  answer: z.object({
    data: z.record(z.string(), z.array(timelineEvent)),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
  example: {
    params: { companyId: 1, number: '+14155552368' },
    answer: {
      data: {
        '+14155552368': [
          {
            id: 90,
            at: '2026-11-21T09:20:00.000Z',
            type: 'label_changed',
            actor: { type: 'user', id: 5, name: 'Una User' },
            summary: 'Labeled “Front desk”',
            before: { label: '' },
            after: { label: 'Front desk' },
            eav_attribute_values: [],
          },
        ],
      },
      meta: { next_cursor: null },
    },
  },
});

// ---- what there is ---------------------------------------------------------------------------------------------------

export const numberPrefixes = endpoint({
  name: 'numberPrefixes',
  method: 'GET',
  path: '/numberPrefixes',
  summary: 'List toll-free prefixes',
  permission: 'session',
  company: 'none',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(z.object({ prefix: z.string(), label: z.string(), available: z.boolean() })),
  }),
  example: { answer: { data: [{ prefix: '800', label: '800', available: true }] } },
});
export const vanityPatterns = endpoint({
  name: 'vanityPatterns',
  method: 'GET',
  path: '/patterns',
  summary: 'List saved digit patterns to search for',
  permission: 'session',
  company: 'none',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({ id: z.string(), name: z.string(), pattern: z.string(), example: z.string() }),
    ),
  }),
  example: {
    answer: { data: [{ id: 'AABB', name: 'Two pairs', pattern: 'AABB', example: '3377' }] },
  },
});
export const areaCodeOverlays = endpoint({
  name: 'areaCodeOverlays',
  method: 'GET',
  path: '/numbers/overlay/{areaCode}',
  summary: 'List other area codes that serve the same places',
  permission: 'session',
  company: 'none',
  params: z.object({ areaCode: z.string().regex(/^[2-9]\d{2}$/) }),
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      areaCode: z.string(),
      overlays: z.array(z.string()),
      state: z.string().nullable(),
      region: z.string(),
      timezone: z.string().nullable(),
    }),
  ),
  example: {
    params: { areaCode: '415' },
    answer: {
      data: {
        areaCode: '415',
        overlays: ['628'],
        state: 'CA',
        region: 'California',
        timezone: 'America/Los_Angeles',
      },
    },
  },
});

const limitRequest = z.object({
  id,
  requested: z.number(),
  status: z.enum(['open', 'granted', 'declined']),
  created_at: instant,
});
export const numberLimit = endpoint({
  name: 'numberLimit',
  method: 'GET',
  path: '/number-limit',
  summary: 'Get the company’s number limit and usage',
  permission: 'numbers.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({ limit: z.number(), used: z.number(), pending_request: limitRequest.nullable() }),
  ),
  example: { answer: { data: { limit: 25, used: 12, pending_request: null } } },
});
export const requestNumberLimitIncrease = endpoint({
  name: 'requestNumberLimitIncrease',
  method: 'POST',
  path: '/number-limit-increase',
  summary: 'Request a higher number limit; one open request per company',
  permission: 'numbers.buy',
  company: 'given',
  status: 201,
  body: z.object({
    requested: z.coerce
      .number('Enter a number.')
      .int('Enter a whole number.')
      .min(1, 'Enter a number.')
      .max(100_000, 'At most 100,000.'),
    reason: z
      .string()
      .trim()
      .min(1, 'Enter why you need more.')
      .max(1000, 'At most 1000 characters.'),
    ...companyIn,
  }),
  answer: one(limitRequest),
  refusals: ['numbers.limit_request_open'],
  example: {
    body: { requested: 50, reason: 'Two new branches' },
    answer: {
      data: { id: 3, requested: 50, status: 'open', created_at: '2026-11-21T09:15:04.000Z' },
    },
  },
});

// ---- events ----------------------------------------------------------------------------------------------------------

const lists = [
  'listNumbers',
  'listNumbersDatatable',
  'listNumbersOfCompany',
  'numberStats',
  'companyAreaCodes',
  'getCompany',
] as const;
/** What carries a number’s name, or whether one may write from it. */
const saysIt = [
  'contactTimeline',
  'listConversations',
  'listConversationItems',
  'getConversationItem',
  'getConversation',
  'listInboxItems',
  'listActivity',
  'getWaiting',
  'getCall',
  'listCampaigns',
  'getCampaign',
  'previewCampaign',
] as const;
const which = { companyId: id, numberId: id, number: z.string() };
export const numberPurchased = event({
  name: 'number.purchased',
  channel: 'companies',
  data: z.object({
    ...which,
    label: z.string(),
    templateId: id.nullable(),
    by: id.nullable(),
    copyOf: id.nullish().meta({ description: 'The number it replaces; its routes are copied' }),
  }),
  touches: [...lists, 'numberLimit'],
  about: ['numberId'],
});
export const numberChanged = event({
  name: 'number.changed',
  channel: 'companies',
  data: z.object({ ...which, changed: z.array(z.string()) }),
  touches: [
    ...lists,
    'getNumber',
    'listTags',
    'listSmsCampaigns',
    'getSmsCampaign',
    'listLiveCalls',
    'getLiveCall',
    ...saysIt,
  ],
  about: ['numberId'],
});
/** Calls and texts stop now. */
export const numberReleasing = event({
  name: 'number.releasing',
  channel: 'companies',
  data: z.object({
    ...which,
    releasingAt: instant,
    returnsAt: instant,
    reason: z.string().nullable(),
    by: id.nullable(),
  }),
  touches: [...lists, 'getNumber', 'numberLimit', ...saysIt],
  about: ['numberId'],
});
export const numberKept = event({
  name: 'number.kept',
  channel: 'companies',
  data: z.object(which),
  touches: [...lists, 'getNumber', 'numberLimit', ...saysIt],
  about: ['numberId'],
});
/** It is the carrier's again. */
export const numberReleased = event({
  name: 'number.released',
  channel: 'companies',
  data: z.object(which),
  touches: [...lists, 'getNumber', 'numberLimit', ...saysIt, 'extensionSuggestions'],
  about: ['numberId'],
});
/** The lessee released it and the time to keep it is over: the marketplace returns it to its owner. */
export const leasedNumberReturned = event({
  name: 'number.returned',
  channel: null,
  data: z.object({ ...which, listingId: id }),
});
export const numberLimitRequested = event({
  name: 'number-limit.requested',
  channel: 'companies',
  data: z.object({ companyId: id, requestId: id, requested: z.number(), reason: z.string() }),
  touches: ['numberLimit'],
});

/** `purchased` and `failed` hold what is new since the last word; the finished one holds all (A27). */
const purchaseNews = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  total: z.number(),
  processed: z.number(),
  purchased: z.array(z.object({ id, number: z.string() })),
  failed: z.array(z.object({ number: z.string(), reason: z.string() })),
});
export const bulkPurchaseProgressed = event({
  name: 'bulk-purchase-progress',
  channel: 'bulk-purchase',
  data: purchaseNews,
  touches: ['bulkPurchaseProgress'],
});
export const bulkPurchaseFinished = event({
  name: 'bulk-purchase-finished',
  channel: 'bulk-purchase',
  data: purchaseNews,
  touches: ['bulkPurchaseProgress', 'numberLimit'],
});

/** Jobs over many numbers (A27). */
const batchNews = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});
const batchDone = batchNews.extend({ resultUrl: z.string().nullable() });
export const updateNumbersProgressed = event({
  name: 'update-numbers-progress',
  channel: 'companies',
  data: batchNews,
  touches: ['bulkPurchaseProgress'],
});
export const updateNumbersCompleted = event({
  name: 'update-numbers-completed',
  channel: 'companies',
  data: batchDone,
  touches: [...lists, 'bulkPurchaseProgress', 'listNumberTemplates'],
});
export const releaseNumbersProgressed = event({
  name: 'release-numbers-progress',
  channel: 'companies',
  data: batchNews,
  touches: ['bulkPurchaseProgress'],
});
export const releaseNumbersCompleted = event({
  name: 'release-numbers-completed',
  channel: 'companies',
  data: batchDone,
  touches: [...lists, 'bulkPurchaseProgress', 'numberLimit'],
});
/** `newNumberId` took the place of `numberId`; tracking moves pool and leases. */
export const numberRotated = event({
  name: 'number.rotated',
  channel: 'companies',
  data: z.object({ ...which, newNumberId: id, newNumber: z.string(), forwardUntil: instant }),
  touches: [
    ...lists,
    'getNumber',
    'numberTimelineEvents',
    'numberTimelineMetaData',
    'listCompanyUsers',
    'getCompanyUser',
  ],
  about: ['numberId'],
});

/** Category of a number from its digits when nobody said: toll-free 1, else local 2. */
export const categoryOf = (number: string): 1 | 2 => (isTollFree(number) ? 1 : 2);
