import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { poolLimits, poolModes, poolStatuses } from '../pool-rules.ts';
import {
  pool,
  poolIn,
  poolPreview,
  poolPurchase,
  poolRow,
  poolSettings,
  type PoolRow,
} from '../pool-schemas.ts';
import { classifyVisit } from './sources.ts';

const at = '2026-11-21T09:15:04.000Z';

const row: PoolRow = {
  ...poolSettings.parse({ domains: ['www.harbordental.example'], areaCode: '212' }),
  id: 91,
  companyId: 1,
  companyKey: '1-kV3o8q0bXw2ZpA',
  name: 'Website visitors',
  status: 'active',
  mode: 'visitor',
  size: 1,
  use: { free: 1, leased: 0, quarantine: 0, static: 0 },
  sourceIds: [],
  defaultNumberId: 12,
  templateId: null,
  scheduleId: null,
  eavAttributeValues: [],
  lastSwapAt: null,
  lastScriptSeenAt: null,
  neverSwapped: true,
  stats: {
    sessions24h: 0,
    peakConcurrent7d: 0,
    utilizationPct: 0,
    exhaustedCount24h: 0,
    recommendedSize: 4,
  },
  createdAt: at,
  updatedAt: at,
};
const example = {
  ...row,
  numbers: [{ id: 31, number: '+12125550181', label: 'Website 1', status: 'free' as const }],
  growth: { by: null, lastAt: null, problem: null },
  remembered: { days: 400, safariDays: 7, host: null },
  hits24h: {
    pageViews: 214,
    events: 6,
    dropped: [{ kind: 'pageview' as const, reason: 'bot' as const, count: 12 }],
  },
};
const inCompany = z.object({ companyId: id });
const ofPool = z.object({ companyId: id, poolId: id });
const object = { table: 'tracking_pool', param: 'poolId' };
const numberIds = z.array(id).max(poolLimits.numbers, `At most ${poolLimits.numbers}.`);
/** The pool, and what is being bought for it. */
const changed = one(pool.extend({ purchase: poolPurchase }));
const purchaseErrors = [
  'number.in_pool',
  'numbers.limit',
  'numbers.none_found',
  'carrier.refused',
  'carrier.unreachable',
] as const;

export const listPools = operation({
  summary: 'List tracking pools with the use of their numbers right now',
  paged: true,
  params: inCompany,
  query: listQuery(
    {
      sort: sortBy('name', 'createdAt', 'updatedAt'),
      search: z.string().trim().max(100).optional(),
      status: z.enum(poolStatuses).optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(poolRow),
  example: { params: { companyId: 1 }, answer: { data: [row] } },
});

export const createPool = operation({
  summary: `Create a tracking pool with up to ${poolLimits.numbers} numbers: those named, and bought ones up to \`size\`. Buying is a job whose progress is at GET /numbers/progress/{batchId}`,
  status: 201,
  params: inCompany,
  body: z.object({
    ...poolIn,
    mode: z.enum(poolModes).default('visitor'),
    numberIds: numberIds.default([]),
  }),
  answer: changed,
  errors: ['pool.exists', ...purchaseErrors],
  example: {
    params: { companyId: 1 },
    body: { name: 'Website visitors', domains: ['www.harbordental.example'], areaCode: '212' },
    answer: { data: { ...example, purchase: null } },
  },
});

export const getPool = operation({
  summary: 'Get a tracking pool with its numbers and what each is doing right now',
  params: ofPool,
  answer: one(pool),
  example: { params: { companyId: 1, poolId: 91 }, answer: { data: example } },
});

export const updatePool = operation({
  summary:
    'Change a tracking pool; fields left out stay unchanged. Pause, resume and archive it with `status`',
  params: ofPool,
  object,
  body: z
    .object({
      ...poolIn,
      status: z.enum(poolStatuses),
      addNumberIds: numberIds,
      removeNumberIds: numberIds.meta({ description: 'They become ordinary numbers' }),
    })
    .partial(),
  answer: changed,
  errors: ['pool.exists', ...purchaseErrors],
  example: {
    params: { companyId: 1, poolId: 91 },
    body: { name: 'Website', stickyDays: 60 },
    answer: { data: { ...example, name: 'Website', stickyDays: 60, purchase: null } },
  },
});

export const deletePool = operation({
  summary:
    'Delete a tracking pool. Its numbers are released, or become ordinary numbers that keep their routing',
  status: 204,
  params: ofPool,
  object,
  query: z.object({
    shouldDeleteNumbers: flag.default(false).meta({ description: '1 releases the numbers' }),
    confirm: flag
      .default(false)
      .meta({ description: 'Required while visitors are seeing its numbers' }),
  }),
  answer: empty,
  errors: ['pool.confirm_delete'],
  example: { params: { companyId: 1, poolId: 91 } },
});

const visit = z.object({
  url: z.string().trim().min(1, 'Enter an address.').max(8192, 'At most 8,192 characters.'),
  referrer: z.string().trim().max(8192, 'At most 8,192 characters.').nullish(),
});
const visitExample = classifyVisit.example as {
  body: { url: string; referrer: string };
  answer: { data: z.infer<typeof poolPreview>['classification'] };
};

export const previewPools = operation({
  summary:
    'Which number a visitor would get, from which pool and why. `draft` is a pool as it is being edited',
  params: inCompany,
  reads: true,
  body: visit.extend({
    draft: z
      .object({
        poolId: id.optional().meta({ description: 'The pool being edited; none: a new one' }),
        name: poolIn.name.optional(),
        mode: poolIn.mode.optional(),
        status: z.enum(poolStatuses).optional(),
        sourceIds: poolIn.sourceIds,
        domains: poolIn.domains,
        includePaths: poolIn.includePaths,
        excludePaths: poolIn.excludePaths,
        crossDomains: poolIn.crossDomains,
        utmParameterOverride: poolIn.utmParameterOverride,
        exhaustedPolicy: poolIn.exhaustedPolicy,
        defaultNumberId: poolIn.defaultNumberId,
      })
      .optional(),
  }),
  answer: one(poolPreview),
  example: {
    params: { companyId: 1 },
    body: visitExample.body,
    answer: {
      data: {
        classification: visitExample.answer.data,
        pool: { id: 91, name: 'Website visitors' },
        number: '+12125550181',
        because: 'idle_longest',
        skipped: [],
      },
    },
  },
});
