import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { syncInbox, updateInboxStates } from './sync-inbox.ts';
import { publishDueCampaign } from './campaign-events.ts';

const campaignPayload = z.object({ companyId: z.number(), campaignId: z.number() });

export const jobs = [
  defineJob('campaigns.tellCampaign', campaignPayload, publishDueCampaign),
  defineJob('campaigns.fileTexts', campaignPayload, syncInbox),
  defineJob(
    'campaigns.moveTexts',
    campaignPayload.extend({ ids: z.array(z.number()) }),
    updateInboxStates,
  ),
];
