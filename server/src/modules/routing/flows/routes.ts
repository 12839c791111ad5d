import { flows as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { getFlow, getFlowVersion, listFlowVersions } from './get-flow.ts';
import { publishFlow, restoreVersion } from './publish-flow.ts';
import { discardDraft, saveDraft } from './save-draft.ts';

export const routes = defineRoutes(contract, {
  getFlow: (ctx, { params }) => getFlow(ctx, params.id),
  saveFlowDraft: (ctx, { params, body }) => saveDraft(ctx, params.id, body),
  discardFlowDraft: (ctx, { params, query }) => discardDraft(ctx, params.id, query.revision),
  publishFlow: (ctx, { params, body }) => publishFlow(ctx, params.id, body),
  listFlowVersions: (ctx, { params, query }) => listFlowVersions(ctx, params.id, query),
  getFlowVersion: (ctx, { params }) => getFlowVersion(ctx, params.id, params.version),
  restoreFlowVersion: (ctx, { params, body }) =>
    restoreVersion(ctx, params.id, params.version, body),
});
