import type { Module } from '../../platform/module.ts';
import { registerRoutingProvider } from '../numbers/index.ts';
import { jobs } from './jobs.ts';
import { routeByTemplate, routeNewNumber } from './route-new-number.ts';
import { lockRoutes } from './store.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';
import { subscribers } from './subscribers.ts';

registerRoutingProvider({
  createRoutes: routeNewNumber,
  lockRoutes: async (t, numberId) => {
    await lockRoutes(t.tx, numberId);
  },
  applyTemplateRoutes: routeByTemplate,
});

/** What the installation runs of this module. */
export const module: Module = {
  routes,
  jobs,
  subscribers,
  retention,
};
