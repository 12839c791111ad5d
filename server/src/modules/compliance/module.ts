import type { Module } from '../../platform/module.ts';
import { mergeRoutes } from '../../platform/routes.ts';
import { jobs } from './registration/jobs.ts';
import { routes as registration } from './registration/routes.ts';
import { retention } from './retention.ts';
import { routes as blocksAndOptOuts } from './routes.ts';
import { subscribers } from './subscribers.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(blocksAndOptOuts, registration),
  jobs,
  subscribers,
  retention,
};
