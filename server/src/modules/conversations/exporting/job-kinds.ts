import { exportJobKind } from '../../../platform/export-jobs.ts';

export const exportJob = exportJobKind('conversations.export');
