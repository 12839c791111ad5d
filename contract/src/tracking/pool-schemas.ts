import { z } from 'zod';
import { fieldValue, fieldValuesIn } from '../fields/schemas.ts';
import { normalizePhone } from '../phone.ts';
import { flag, id, instant } from '../schemas.ts';
import { dropReasons, hitKinds } from './hit-rules.ts';
import {
  attributionModels,
  choiceReasons,
  exhaustedPolicies,
  poolLimits,
  poolModes,
  poolStatuses,
  skipReasons,
  slotStates,
} from './pool-rules.ts';
import { classification } from './schemas.ts';

const between = (min: number, max: number) =>
  z.coerce
    .number<number>()
    .int('Enter a whole number.')
    .min(min, `Enter at least ${min}.`)
    .max(max, `Enter at most ${max}.`);

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'At most 253 characters.')
  .regex(
    /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/,
    'Enter a website, such as www.example.com or *.example.com.',
  );
const path = z
  .string()
  .trim()
  .max(500, 'At most 500 characters.')
  .regex(/^\/\S*$/, 'Start with a slash, such as /implants*.');
const parameter = z
  .string()
  .trim()
  .regex(/^[\w.[\]-]{1,100}$/, 'Enter the name of a parameter, such as src.');
const phone = z
  .string()
  .trim()
  .max(40)
  .refine((text) => normalizePhone(text) !== null, 'Enter a phone number.')
  .overwrite((text) => normalizePhone(text) ?? text);
const list = <T extends z.ZodType>(item: T, max: number) =>
  z.array(item).max(max, `At most ${max}.`);

const parameters = list(parameter, 10);
/** Our fields and the names that the visitor's parameters have; first present wins. */
const utmParameterOverride = z.object({
  source: parameters.optional(),
  medium: parameters.optional(),
  campaign: parameters.optional(),
  term: parameters.optional(),
  content: parameters.optional(),
});

const swapTarget = z.object({
  number: phone,
  formats: z.union([z.literal('auto'), list(z.string().trim().min(1).max(40), 10)]).default('auto'),
  selectors: list(z.string().trim().min(1).max(200), 10).optional(),
});

/** Everything about a pool that has a default (A8.1). */
export const poolSettings = z.object({
  autoScale: z
    .object({
      enabled: flag,
      max: between(1, poolLimits.numbers),
      targetUtilization: between(10, 100),
    })
    .default({ enabled: false, max: 20, targetUtilization: 75 }),
  areaCode: z
    .string()
    .trim()
    .regex(/^[2-9]\d\d$/, 'Enter three digits, such as 212.')
    .nullable()
    .default(null),
  category: z.union([z.literal(1), z.literal(2)]).default(2),
  domains: list(domain, 50).default([]),
  includePaths: list(path, 50).default([]),
  excludePaths: list(path, 50).default([]),
  swapTargets: list(swapTarget, 20).default([]),
  exhaustedPolicy: z.enum(exhaustedPolicies).default('fallback'),
  sessionTimeoutMinutes: between(5, 240).default(30),
  heartbeatSeconds: between(15, 300).default(60),
  stickyDays: between(0, 365).default(30),
  quarantineMinutes: between(0, 1440).default(30),
  attributionWindowHours: between(0, 720).default(24),
  lookbackDays: between(1, 365).default(90),
  attributionModel: z.enum(attributionModels).default('first_touch'),
  utmParameterOverride: utmParameterOverride.default({}),
  captureParams: list(parameter, 20).default([]),
  captureCookies: list(parameter, 20).default([]),
  crossDomains: list(domain, 20).default([]),
  consentMode: z.enum(['off', 'wait', 'anonymous']).default('off'),
  respectDnt: flag.default(false),
  sourceOverride: z
    .object({ paid: flag, landingParam: parameter.nullable() })
    .default({ paid: false, landingParam: null }),
  forwardNumber: phone.nullable().default(null),
  record: flag.nullable().default(null),
  whisperSource: flag.default(false),
});
export type PoolSettings = z.infer<typeof poolSettings>;

const slot = z.object({
  id,
  number: z.string(),
  label: z.string(),
  status: z.enum(slotStates),
});

const poolBase = z.object({
  id,
  companyId: id,
  companyKey: z
    .string()
    .meta({ description: 'What the script on the website names the company with' }),
  name: z.string(),
  status: z.enum(poolStatuses),
  mode: z.enum(poolModes),
  size: z.number(),
  use: z.object({
    free: z.number(),
    leased: z.number(),
    quarantine: z.number(),
    static: z.number(),
  }),
  ...poolSettings.shape,
  sourceIds: z.array(id),
  defaultNumberId: id.nullable(),
  templateId: id.nullable(),
  scheduleId: id.nullable(),
  eavAttributeValues: z.array(fieldValue),
  lastSwapAt: instant.nullable(),
  lastScriptSeenAt: instant.nullable(),
  neverSwapped: z.boolean(),
  stats: z.object({
    sessions24h: z.number(),
    peakConcurrent7d: z.number(),
    utilizationPct: z.number(),
    exhaustedCount24h: z.number(),
    recommendedSize: z.number(),
  }),
  createdAt: instant,
  updatedAt: instant,
});
/** A pool in a list. */
export const poolRow = poolBase;
export type PoolRow = z.infer<typeof poolRow>;

/** What pages with the pool's script sent in the last 24 hours. */
const poolHits = z.object({
  pageViews: z.number(),
  events: z.number(),
  dropped: z
    .array(z.object({ kind: z.enum(hitKinds), reason: z.enum(dropReasons), count: z.number() }))
    .meta({ description: 'What wasn’t counted, and why; the most first' }),
});

/** A pool with its numbers. */
export const pool = poolBase.extend({
  numbers: z.array(slot),
  hits24h: poolHits,
  growth: z
    .object({
      by: z.string().nullable(),
      lastAt: instant.nullable(),
      problem: z.string().nullable(),
    })
    .meta({
      description:
        'With `autoScale`: in whose name numbers are bought, when last, and a sentence about what stands in the way',
    }),
  remembered: z
    .object({
      days: z.number(),
      safariDays: z.number(),
      host: z
        .string()
        .nullable()
        .meta({ description: 'A subdomain of the website that sets the cookie; null: none does' }),
    })
    .meta({
      description:
        'For how many days browsers remember a visitor; 0: visitors stay anonymous. Safari’s 7 days are 24 hours after a click on an ad',
    }),
});
export type Pool = z.infer<typeof pool>;

const withoutDefaults = Object.fromEntries(
  Object.entries(poolSettings.shape).map(([key, schema]) => [key, schema.unwrap().optional()]),
) as unknown as {
  [k in keyof typeof poolSettings.shape]: z.ZodOptional<
    ReturnType<(typeof poolSettings.shape)[k]['unwrap']>
  >;
};

export const poolIn = {
  ...withoutDefaults,
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
  mode: z.enum(poolModes),
  sourceIds: list(id, 200).optional().meta({ description: 'For mode `source`; none: all' }),
  defaultNumberId: id.nullish(),
  templateId: id.nullish(),
  scheduleId: id.nullish(),
  eavAttributeValues: fieldValuesIn.optional(),
  size: between(0, poolLimits.numbers)
    .optional()
    .meta({ description: 'Numbers that are missing are bought' }),
};

/** The numbers being bought for a pool; null: none. */
export const poolPurchase = z
  .object({
    batchId: z.uuid(),
    status: z.literal('queued'),
    total: z.number(),
    missing: z.number().meta({ description: 'Wanted, but not available in this area' }),
  })
  .nullable();

export const poolPreview = z.object({
  classification,
  pool: z.object({ id: id.nullable(), name: z.string() }).nullable(),
  number: z.string().nullable(),
  because: z.enum(choiceReasons),
  skipped: z.array(z.object({ poolId: id.nullable(), name: z.string(), why: z.enum(skipReasons) })),
});
export type PoolPreview = z.infer<typeof poolPreview>;
