import { registration as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { addSmsCampaignNumbers } from './add-sms-campaign-numbers.ts';
import { cancelSmsCampaign } from './cancel-sms-campaign.ts';
import { createSmsCampaign } from './create-sms-campaign.ts';
import { deleteSmsCampaign } from './delete-sms-campaign.ts';
import { getSmsCampaign } from './get-sms-campaign.ts';
import { listSmsCampaigns } from './list-sms-campaigns.ts';
import { removeSmsCampaignNumbers } from './remove-sms-campaign-numbers.ts';
import { submitSmsCampaign } from './submit-sms-campaign.ts';
import { updateSmsCampaign } from './update-sms-campaign.ts';

export const routes = defineRoutes(contract, {
  listSmsCampaigns: (ctx, { query }) => listSmsCampaigns(ctx, query),
  getSmsCampaign: (ctx, { params }) => getSmsCampaign(ctx, params.id),
  createSmsCampaign: (ctx, { body }, http) => createSmsCampaign(ctx, body, http.files),
  updateSmsCampaign: (ctx, { params, body }, http) =>
    updateSmsCampaign(ctx, params.id, body, http.files),
  submitSmsCampaign: withoutTransaction((ctx, { params, body }) =>
    submitSmsCampaign(ctx, params.id, body.checks_only),
  ),
  deleteSmsCampaign: (ctx, { params }) => deleteSmsCampaign(ctx, params.id),
  cancelSmsCampaign: (ctx, { params, body }) => cancelSmsCampaign(ctx, params.id, body.type),
  addSmsCampaignNumbers: (ctx, { params, body }) =>
    addSmsCampaignNumbers(ctx, params.id, body.numbers),
  removeSmsCampaignNumbers: (ctx, { params, body }) =>
    removeSmsCampaignNumbers(ctx, params.id, body.numbers),
});
