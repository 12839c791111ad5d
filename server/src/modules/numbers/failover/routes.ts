import { carriers as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { checkCarriers, listCarriers, listPlatformCarriers } from '../accounts/carrier-accounts.ts';
import { getFailover, setFailover } from './set-failover.ts';

export const routes = defineRoutes(contract, {
  getFailover: (ctx, { params }) => getFailover(ctx, params.id),
  setFailover: (ctx, { params, body }) => setFailover(ctx, params.id, body),
  listCarriers: withoutTransaction((ctx) => listCarriers(ctx)),
  listPlatformCarriers: withoutTransaction((ctx) => listPlatformCarriers(ctx)),
  checkCarriers: withoutTransaction((ctx) => checkCarriers(ctx)),
});
