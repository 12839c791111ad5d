import type { Module } from '../../platform/module.ts';
import { mergeRoutes } from '../../platform/routes.ts';
import { routes as failover } from './failover/routes.ts';
import { routes as forwarding } from './forwarding/routes.ts';
import { routes as features } from './features/routes.ts';
import { jobs } from './jobs.ts';
import { retention } from './retention.ts';
import { routes as numbers } from './routes.ts';
import { ownDetails } from './store-own-details.ts';
import { subscribers } from './subscribers.ts';
import { routes as templates } from './templates/routes.ts';
import { routes as triggers } from './triggers/routes.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(numbers, failover, features, forwarding, templates, triggers),
  jobs,
  subscribers,
  ownDetails,
  retention,
};
