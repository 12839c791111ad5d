import { runJob } from '../../platform/jobs.ts';
import { runSync } from './accounts/sync-account.ts';
import { syncJob } from './job-kinds.ts';

export const jobs = [runJob(syncJob, runSync)];
