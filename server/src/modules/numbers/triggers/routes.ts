import { triggers as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { updateTriggers } from './update-triggers.ts';

export const routes = defineRoutes(contract, {
  updateTriggers: (ctx, { params, body }) => updateTriggers(ctx, params.id, body),
});
