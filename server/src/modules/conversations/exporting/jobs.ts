import { z } from 'zod';
import { defineJob, defineRecurring } from '../../../platform/jobs.ts';
import { writeExport } from './export-items.ts';
import { deleteExpiredExports } from './delete-expired-exports.ts';
import { mailExport } from './mail-export.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.string(), kind: z.string() });
export const jobs = [
  defineJob(
    'conversations.export',
    batchPayload,
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 4 },
    writeExport,
  ),
  defineJob(
    'exports.mail',
    batchPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    mailExport,
  ),
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
