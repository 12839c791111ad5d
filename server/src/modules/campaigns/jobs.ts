import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { syncInbox, updateInboxStates } from './sync-inbox.ts';
import { publishDueCampaign } from './campaign-events.ts';

const campaignPayload = z.object({ companyId: z.number(), campaignId: z.number() });

export const jobs = [
  defineJob('campaigns.publish', campaignPayload, publishDueCampaign),
  defineJob('campaigns.syncInbox', campaignPayload, syncInbox),
  defineJob(
    'campaigns.moveInboxItems',
    campaignPayload.extend({ ids: z.array(z.number()) }),
    updateInboxStates,
  ),
];
