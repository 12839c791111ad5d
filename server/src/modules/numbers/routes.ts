import { numbers as contract } from '#contract';
import { defineRoutes, withoutTransaction, readOnly } from '../../platform/routes.ts';
import { bulkPurchaseProgress } from './buy-in-bulk.ts';
import { buyNumbers } from './buy-numbers.ts';
import { exportNumbers } from './bulk/export-numbers.ts';
import { removeNumbersInBulk, updateNumbersInBulk } from './bulk/start.ts';
import { checkSpamLabel } from './spam-labels/check-spam-labels.ts';
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
import { areaCodeOverlays, numberPrefixes, vanityPatterns } from './inventory-options.ts';

export const routes = defineRoutes(contract, {
  locateNumbers: withoutTransaction((ctx, { body }) => locateNumbers(ctx, body)),
  locateNumbersInBulk: withoutTransaction((ctx, { body }) => locateNumbersInBulk(ctx, body)),
  buyNumbers: withoutTransaction((ctx, { body }, http) => buyNumbers(ctx, body, http)),
  bulkPurchaseProgress: (ctx, { params }) => bulkPurchaseProgress(ctx, params.batchId),
  listNumbers: readOnly((ctx, { query }) => listNumbers(ctx, query)),
  listNumbersDatatable: readOnly((ctx, { query }) => listNumbersDatatable(ctx, query)),
  listNumbersOfCompany: (ctx) => listNumbersOfCompany(ctx),
  numberStats: (ctx) => numberStats(ctx),
  companyAreaCodes: (ctx) => companyAreaCodes(ctx),
  updateNumbersInBulk: (ctx, { body }) => updateNumbersInBulk(ctx, body),
  removeNumbersInBulk: (ctx, { body }) => removeNumbersInBulk(ctx, body),
  exportNumbers: (ctx, { query }) => exportNumbers(ctx, query),
  checkSpamLabel: withoutTransaction((ctx, { params }) => checkSpamLabel(ctx, params.id)),
  rotateNumber: withoutTransaction((ctx, { params, body }) => rotateNumber(ctx, params.id, body)),
  numberTimelineMetaData: (ctx, { params }) => timelineMetaData(ctx, params.number),
  numberTimelineEvents: (ctx, { params, query }) => timelineEvents(ctx, params.number, query),
  removeNumber: (ctx, { params, body }) => removeNumber(ctx, params.id, body),
  numberPrefixes: withoutTransaction(async () => numberPrefixes()),
  vanityPatterns: withoutTransaction(async () => vanityPatterns()),
  areaCodeOverlays: withoutTransaction(async (_, { params }) => areaCodeOverlays(params.areaCode)),
  numberLimit: (ctx) => numberLimit(ctx),
  requestNumberLimitIncrease: (ctx, { body }) => requestNumberLimitIncrease(ctx, body),
});
