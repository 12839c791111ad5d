import { campaigns as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { approveCampaign } from './approve-campaign.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { getCampaign, listCampaignEvents, listCampaigns } from './list-campaigns.ts';
import { pauseCampaign } from './pause-campaign.ts';
import { previewCampaign, previewUnsaved } from './preview-campaign.ts';
import { resumeCampaign } from './resume-campaign.ts';
import { createCampaign, updateCampaign } from './save-campaign.ts';
import { sendTest } from './send-test.ts';

export const routes = defineRoutes(contract, {
  listCampaigns: (ctx, { query }) => listCampaigns(ctx, query),
  getCampaign: (ctx, { params }) => getCampaign(ctx, params.id),
  listCampaignEvents: (ctx, { params, query }) => listCampaignEvents(ctx, params.id, query),
  previewCampaign: (ctx, { params }) => previewCampaign(ctx, params.id),
  previewUnsaved: (ctx, { body }) => previewUnsaved(ctx, body),
  createCampaign: withoutTransaction((ctx, { body }, http) =>
    createCampaign(ctx, body, http.files),
  ),
  updateCampaign: withoutTransaction((ctx, { params, body }, http) =>
    updateCampaign(ctx, params.id, body, http.files),
  ),
  patchCampaign: withoutTransaction((ctx, { params, body }, http) =>
    updateCampaign(ctx, params.id, body, http.files),
  ),
  deleteCampaign: (ctx, { params }) => deleteCampaign(ctx, params.id),
  pauseCampaign: (ctx, { params }) => pauseCampaign(ctx, params.id),
  resumeCampaign: (ctx, { params, body }) => resumeCampaign(ctx, params.id, body),
  cancelCampaign: (ctx, { params }) => cancelCampaign(ctx, params.id),
  duplicateCampaign: (ctx, { params }) => duplicateCampaign(ctx, params.id),
  approveCampaign: (ctx, { params }) => approveCampaign(ctx, params.id),
  testCampaign: (ctx, { params, body }) => sendTest(ctx, params.id, body.to),
});
