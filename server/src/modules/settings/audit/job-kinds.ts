import { exportPayload } from '../../../platform/export-jobs.ts';
import { jobKind } from '../../../platform/job-kind.ts';

export const exportAuditLogJob = jobKind('settings.exportAuditLog', exportPayload, {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: 'allowed',
  retries: 4,
});
