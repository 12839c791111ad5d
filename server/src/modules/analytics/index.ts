import { analytics } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';
import { waiting } from '../conversations/index.ts';
import { callKpi } from './call-kpi.ts';

export const routes = defineRoutes(analytics, {
  callKpi: (ctx, { body }) => callKpi(ctx, body),
  getWaiting: async (ctx) => ({ data: await waiting(ctx) }),
});
export { jobs } from './jobs.ts';
export { owns } from './store-figures.ts';
