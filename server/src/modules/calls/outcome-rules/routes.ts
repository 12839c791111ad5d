import { outcomeRules as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import {
  createOutcomeRule,
  deleteOutcomeRule,
  listOutcomeRules,
  updateOutcomeRule,
} from './manage-rules.ts';
import { tryOutcomeRule } from './try-rule.ts';

export const routes = defineRoutes(contract, {
  listOutcomeRules: (ctx) => listOutcomeRules(ctx),
  createOutcomeRule: (ctx, { body }) => createOutcomeRule(ctx, body),
  tryOutcomeRule: (ctx, { body }) => tryOutcomeRule(ctx, body),
  updateOutcomeRule: (ctx, { params, body }) => updateOutcomeRule(ctx, params.ruleId, body),
  deleteOutcomeRule: (ctx, { params }) => deleteOutcomeRule(ctx, params.ruleId),
});
