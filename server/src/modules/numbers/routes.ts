import { numbers as contract } from '#contract';
import { answering, outside, reading } from '../../platform/answer.ts';
import { bulkPurchaseProgress } from './buy-in-bulk.ts';
import { buyNumbers } from './buy-numbers.ts';
import { exportNumbers } from './many/export-numbers.ts';
import { removeNumbersInBulk, updateNumbersInBulk } from './many/begin.ts';
import { rotateNumber } from './rotate-number.ts';
import { timelineEvents, timelineMetaData } from './timeline/show-timeline.ts';
import { numberLimit, requestNumberLimitIncrease } from './limit.ts';
import {
  companyAreaCodes,
  listNumbers,
  listNumbersDatatable,
  listNumbersOfCompany,
  numberStats,
} from './list-numbers.ts';
import { locateNumbers, locateNumbersInBulk } from './locate-numbers.ts';
import { removeNumber } from './remove-number.ts';
import { areaCodeOverlays, numberPrefixes, vanityPatterns } from './what-there-is.ts';

export const answers = answering(contract, {
  locateNumbers: outside((ctx, { body }) => locateNumbers(ctx, body)),
  locateNumbersInBulk: outside((ctx, { body }) => locateNumbersInBulk(ctx, body)),
  buyNumbers: outside((ctx, { body }, http) => buyNumbers(ctx, body, http)),
  bulkPurchaseProgress: (ctx, { params }) => bulkPurchaseProgress(ctx, params.batchId),
  listNumbers: reading((ctx, { query }) => listNumbers(ctx, query)),
  listNumbersDatatable: reading((ctx, { query }) => listNumbersDatatable(ctx, query)),
  listNumbersOfCompany: (ctx) => listNumbersOfCompany(ctx),
  numberStats: (ctx) => numberStats(ctx),
  companyAreaCodes: (ctx) => companyAreaCodes(ctx),
  updateNumbersInBulk: (ctx, { body }) => updateNumbersInBulk(ctx, body),
  removeNumbersInBulk: (ctx, { body }) => removeNumbersInBulk(ctx, body),
  exportNumbers: (ctx, { query }) => exportNumbers(ctx, query),
  rotateNumber: outside((ctx, { params, body }) => rotateNumber(ctx, params.id, body)),
  numberTimelineMetaData: (ctx, { params }) => timelineMetaData(ctx, params.number),
  numberTimelineEvents: (ctx, { params, query }) => timelineEvents(ctx, params.number, query),
  removeNumber: (ctx, { params, body }) => removeNumber(ctx, params.id, body),
  numberPrefixes: outside(async () => numberPrefixes()),
  vanityPatterns: outside(async () => vanityPatterns()),
  areaCodeOverlays: outside(async (_, { params }) => areaCodeOverlays(params.areaCode)),
  numberLimit: (ctx) => numberLimit(ctx),
  requestNumberLimitIncrease: (ctx, { body }) => requestNumberLimitIncrease(ctx, body),
});
