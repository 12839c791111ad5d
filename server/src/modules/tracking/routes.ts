import { tracking as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { realTimeFeed } from './feed/real-time-feed.ts';
import { addPageView, addVisitEvent } from './hits/add-hit.ts';
import { createPool } from './pools/create-pool.ts';
import { deletePool } from './pools/delete-pool.ts';
import { getPool, listPools } from './pools/list-pools.ts';
import { previewPools } from './pools/preview-pools.ts';
import { updatePool } from './pools/update-pool.ts';
import { classifyVisit } from './sources/classify-visit.ts';
import { listSources } from './sources/list-sources.ts';
import { continueVisit } from './visits/continue-visit.ts';
import { openVisit } from './visits/open-visit.ts';
import { getScript } from './script/get-script.ts';
import { updateScript } from './script/update-script.ts';
import { verifyScript } from './script/verify-script.ts';
import { createSource, deleteSource, orderSources, updateSource } from './sources/save-source.ts';

export const routes = defineRoutes(contract, {
  listSources: (ctx) => listSources(ctx),
  createSource: (ctx, { body }) => createSource(ctx, body),
  orderSources: (ctx, { body }) => orderSources(ctx, body.sourceIds),
  classifyVisit: (ctx, { body }) => classifyVisit(ctx, body),
  updateSource: (ctx, { params, body }) => updateSource(ctx, params.sourceId, body),
  deleteSource: (ctx, { params }) => deleteSource(ctx, params.sourceId),
  listPools: (ctx, { query }) => listPools(ctx, query),
  createPool: withoutTransaction((ctx, { body }) => createPool(ctx, body)),
  previewPools: (ctx, { body }) => previewPools(ctx, body),
  getPool: (ctx, { params }) => getPool(ctx, params.poolId),
  updatePool: withoutTransaction((ctx, { params, body }) => updatePool(ctx, params.poolId, body)),
  deletePool: (ctx, { params, query }) => deletePool(ctx, params.poolId, query),
  realTimeFeed: { readOnly: (ctx, { query }) => realTimeFeed(ctx, query) },
  getScript: { readOnly: (ctx) => getScript(ctx) },
  updateScript: (ctx, { body }) => updateScript(ctx, body),
  verifyScript: withoutTransaction((ctx, { body }, { request }) =>
    verifyScript(ctx, body, request.server),
  ),
  openVisit: withoutTransaction((ctx, { body }, http) => openVisit(ctx, body, http)),
  continueVisit: withoutTransaction((ctx, { body }, http) => continueVisit(ctx, body, http)),
  addPageView: withoutTransaction((ctx, { body }, http) => addPageView(ctx, body, http)),
  addVisitEvent: withoutTransaction((ctx, { body }, http) => addVisitEvent(ctx, body, http)),
});
