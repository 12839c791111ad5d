import { analytics } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';
import { callKpi } from './call-kpi.ts';

export const routes = defineRoutes(analytics, { callKpi: (ctx, { body }) => callKpi(ctx, body) });
export const owns = [] as const;
