import { settings as contract } from '#contract';
import { defineRoutes, mergeRoutes } from '../../platform/routes.ts';
import { routes as auditRoutes } from './audit/routes.ts';
import { routes as featureRoutes } from './features/routes.ts';
import { routes as supportRoutes } from './support/routes.ts';
import { routes as tenantRoutes } from './tenant/routes.ts';

export const routes = mergeRoutes(
  featureRoutes,
  tenantRoutes,
  supportRoutes,
  auditRoutes,
  defineRoutes(contract, {}),
);
