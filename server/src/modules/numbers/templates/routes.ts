import { templates as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { getNumberTemplate, listNumberTemplates } from './list-templates.ts';
import {
  createNumberTemplate,
  deleteNumberTemplate,
  updateNumberTemplate,
} from './save-template.ts';

export const routes = defineRoutes(contract, {
  listNumberTemplates: (ctx, { query }) => listNumberTemplates(ctx, query),
  createNumberTemplate: (ctx, { body }) => createNumberTemplate(ctx, body),
  getNumberTemplate: (ctx, { params }) => getNumberTemplate(ctx, params.id),
  updateNumberTemplate: (ctx, { params, body }) => updateNumberTemplate(ctx, params.id, body),
  deleteNumberTemplate: (ctx, { params }) => deleteNumberTemplate(ctx, params.id),
});
