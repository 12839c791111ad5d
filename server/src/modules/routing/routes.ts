import { routing as contract } from '#contract';
import { defineRoutes, mergeRoutes } from '../../platform/routes.ts';
import { routes as flows } from './flows/routes.ts';
import { routes as greetings } from './greetings/routes.ts';
import { routes as schedules } from './schedules/routes.ts';
import { getNumber, updateNumber } from './update-number.ts';
import { simulateNumber } from './simulate-number.ts';

export const routes = mergeRoutes(
  defineRoutes(contract, {
    getNumber: (ctx, { params }) => getNumber(ctx, params.id),
    updateNumber: (ctx, { params, body }) => updateNumber(ctx, params.id, body),
    simulateNumber: (ctx, { params, body }) => simulateNumber(ctx, params.id, body),
  }),
  flows,
  schedules,
  greetings,
);
