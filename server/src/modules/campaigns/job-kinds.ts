import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

const campaignPayload = z.object({ companyId: z.number(), campaignId: z.number() });

export const publishJob = jobKind('campaigns.publish', campaignPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});

export const syncInboxJob = jobKind('campaigns.syncInbox', campaignPayload, {
  queue: 'default',
  timeoutSeconds: 600,
  overlap: 'allowed',
  retries: 24,
});

export const collectStatisticsJob = jobKind('campaigns.collectStatistics', z.object({}), {
  queue: 'default',
  timeoutSeconds: 600,
  overlap: 'allowed',
  retries: 3,
});

export const moveInboxItemsJob = jobKind(
  'campaigns.moveInboxItems',
  campaignPayload.extend({ ids: z.array(z.number()) }),
  { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
);
