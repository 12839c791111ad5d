import { exportPayload } from '../../../platform/export-jobs.ts';
import { jobKind } from '../../../platform/job-kind.ts';

export const callReportJob = jobKind('analytics.exportCallReport', exportPayload, {
  queue: 'bulk',
  timeoutSeconds: 600,
  overlap: 'allowed',
  retries: 4,
});
