import { z } from 'zod';
import { defineJob, defineRecurring } from '../../../platform/jobs.ts';
import { EXPORT_JOB, runContactExport } from './export-contacts.ts';
import { deleteOldFiles } from './delete-old-files.ts';
import { runContactImport } from './run-contact-import.ts';
import { runContactImportUndo } from './undo-contact-import.ts';

export const jobs = [
  defineJob(
    'contacts.import',
    z.object({ companyId: z.number(), importId: z.number() }),
    {
      queue: 'bulk',
      timeoutSeconds: 14400,
      overlap: ({ companyId }) => `contact-import:${companyId}`,
      retries: 5,
    },
    (ctx, { importId }, attempt) => runContactImport(ctx, importId, attempt),
  ),
  defineJob(
    'contacts.undoImport',
    z.object({ companyId: z.number(), importId: z.number(), by: z.number() }),
    {
      queue: 'bulk',
      timeoutSeconds: 14400,
      overlap: ({ companyId }) => `contact-import:${companyId}`,
      retries: 24,
    },
    (ctx, { importId, by }) => runContactImportUndo(ctx, importId, by || null),
  ),
  defineJob(
    EXPORT_JOB,
    z.object({ companyId: z.number(), batchId: z.uuid() }),
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 4 },
    (ctx, { batchId }, attempt) => runContactExport(ctx, batchId, attempt),
  ),
  defineRecurring(
    'contacts.purgeImportFiles',
    { cron: '17 * * * *', does: 'deletes files of imports', queue: 'default', timeoutSeconds: 600 },
    (ctx) => deleteOldFiles(ctx),
  ),
];
