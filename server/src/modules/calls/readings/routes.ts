import { readings as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { readCallNow } from './queue-reading.ts';

export const routes = defineRoutes(contract, {
  readCall: (ctx, { params, body }) => readCallNow(ctx, params.id, body),
});
