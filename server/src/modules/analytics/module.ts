import { analytics } from '#contract';
import type { Module } from '../../platform/module.ts';
import { defineRoutes } from '../../platform/routes.ts';
import { waiting } from '../conversations/index.ts';
import { callKpi } from './call-kpi.ts';
import { jobs } from './jobs.ts';
import { retention } from './retention.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: defineRoutes(analytics, {
    callKpi: (ctx, { body }) => callKpi(ctx, body),
    getWaiting: async (ctx) => ({ data: await waiting(ctx) }),
  }),
  jobs,
  retention,
};
