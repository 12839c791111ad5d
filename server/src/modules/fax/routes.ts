import { fax as contract } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';
import { getFax, retryFax, sendFax } from './send-fax.ts';

export const routes = defineRoutes(contract, {
  sendFax: (ctx, { body }, http) => sendFax(ctx, body, http.files),
  getFax: (ctx, { params }) => getFax(ctx, params.id),
  retryFax: (ctx, { params, body }) => retryFax(ctx, params.id, body),
});
