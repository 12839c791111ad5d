import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { syncInbox, updateInboxStates } from './sync-inbox.ts';
import { publishDueCampaign } from './campaign-events.ts';

const campaignPayload = z.object({ companyId: z.number(), campaignId: z.number() });

export const jobs = [
  defineJob(
    'campaigns.publish',
    campaignPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    publishDueCampaign,
  ),
  defineJob(
    'campaigns.syncInbox',
    campaignPayload,
    { queue: 'default', timeoutSeconds: 600, overlap: 'allowed', retries: 24 },
    syncInbox,
  ),
  defineJob(
    'campaigns.moveInboxItems',
    campaignPayload.extend({ ids: z.array(z.number()) }),
    { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    updateInboxStates,
  ),
];
