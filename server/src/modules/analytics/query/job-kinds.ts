import { exportJobKind } from '../../../platform/export-jobs.ts';

export const callReportJob = exportJobKind('analytics.exportCallReport');
