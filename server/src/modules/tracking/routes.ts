import { tracking as contract } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';
import { classifyVisit } from './sources/classify-visit.ts';
import { listSources } from './sources/list-sources.ts';
import { createSource, deleteSource, orderSources, updateSource } from './sources/save-source.ts';

export const routes = defineRoutes(contract, {
  listSources: (ctx) => listSources(ctx),
  createSource: (ctx, { body }) => createSource(ctx, body),
  orderSources: (ctx, { body }) => orderSources(ctx, body.sourceIds),
  classifyVisit: (ctx, { body }) => classifyVisit(ctx, body),
  updateSource: (ctx, { params, body }) => updateSource(ctx, params.sourceId, body),
  deleteSource: (ctx, { params }) => deleteSource(ctx, params.sourceId),
});
