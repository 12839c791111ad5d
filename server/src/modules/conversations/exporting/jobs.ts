import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { mailExportJob } from '../../../platform/export-jobs.ts';
import { exportJob } from './job-kinds.ts';
import { writeExport } from './export-items.ts';
import { deleteExpiredExports } from './delete-expired-exports.ts';
import { mailExport } from './mail-export.ts';
export const jobs = [
  runJob(exportJob, writeExport),
  runJob(mailExportJob, mailExport),
  defineRecurring(
    'exports.purge',
    {
      cron: '41 * * * *',
      does: 'deletes exports whose link has expired',
      queue: 'default',
      timeoutSeconds: 600,
    },
    deleteExpiredExports,
  ),
];
