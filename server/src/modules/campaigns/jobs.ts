import { analyzeTables } from '../../platform/batches.ts';
import { runJob } from '../../platform/jobs.ts';
import { collectStatisticsJob, publishJob, syncInboxJob, moveInboxItemsJob } from './job-kinds.ts';
import { syncInbox, updateInboxStates } from './sync-inbox.ts';
import { publishDueCampaign } from './campaign-events.ts';

export const jobs = [
  runJob(publishJob, publishDueCampaign),
  runJob(syncInboxJob, syncInbox),
  runJob(moveInboxItemsJob, updateInboxStates),
  runJob(collectStatisticsJob, (ctx) => analyzeTables(ctx.db, ['campaign_recipient'])),
];
