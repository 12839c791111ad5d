import { exportJobKind } from '../../../platform/export-jobs.ts';

export const exportAuditLogJob = exportJobKind('settings.exportAuditLog');
