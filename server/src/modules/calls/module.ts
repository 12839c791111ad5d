import type { Module } from '../../platform/module.ts';
import { provideCallerScreening, provideCallingPresence } from '../routing/index.ts';
import { screenCaller } from './runtime/screen-caller.ts';
import { mergeRoutes } from '../../platform/routes.ts';
import { jobs } from './jobs.ts';
import * as live from './live/routes.ts';
import { routes as outcomeRules } from './outcome-rules/routes.ts';
import { routes as phrases } from './phrases/routes.ts';
import { routes as readings } from './readings/routes.ts';
import { retention } from './retention.ts';
import { callingPresence } from './phones/availability.ts';
import { routes as records } from './routes.ts';
import { routes as care } from './search/routes.ts';
import { subscribers } from './subscribers.ts';

// Routing may not import this module, so it is given the function that knows who can be rung.
provideCallingPresence(callingPresence);
provideCallerScreening(screenCaller);

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(records, care, live.routes, phrases, outcomeRules, readings),
  jobs,
  subscribers,
  retention,
};
