import { mergeRoutes } from '../../platform/routes.ts';
import { routes as streamRoutes } from './audit-streams/routes.ts';
import { routes as auditRoutes } from './audit/routes.ts';
import { routes as brandingRoutes } from './branding/routes.ts';
import { routes as generalRoutes } from './general/routes.ts';
import { routes as supportRoutes } from './support/routes.ts';
import { routes as tenantRoutes } from './tenant/routes.ts';

export const routes = mergeRoutes(
  tenantRoutes,
  brandingRoutes,
  supportRoutes,
  auditRoutes,
  streamRoutes,
  generalRoutes,
);
