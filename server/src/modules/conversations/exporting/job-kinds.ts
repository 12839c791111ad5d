import { exportPayload } from '../../../platform/export-jobs.ts';
import { jobKind } from '../../../platform/job-kind.ts';

export const exportJob = jobKind('conversations.export', exportPayload, {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: 'allowed',
  retries: 4,
});
