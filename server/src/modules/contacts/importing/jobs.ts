import { z } from 'zod';
import { asBulk, defineJob } from '../../../platform/jobs.ts';
import { EXPORT_JOB, runContactExport } from './export-contacts.ts';
import { deleteOldFiles } from './delete-old-files.ts';
import { runContactImport } from './run-contact-import.ts';
import { runContactImportUndo } from './undo-contact-import.ts';

export const jobs = [
  asBulk(
    defineJob(
      'contacts.import',
      z.object({ companyId: z.number(), importId: z.number() }),
      (ctx, { importId }, attempt) => runContactImport(ctx, importId, attempt),
    ),
  ),
  asBulk(
    defineJob(
      'contacts.undoImport',
      z.object({ companyId: z.number(), importId: z.number(), by: z.number() }),
      (ctx, { importId, by }) => runContactImportUndo(ctx, importId, by || null),
    ),
  ),
  asBulk(
    defineJob(
      EXPORT_JOB,
      z.object({ companyId: z.number(), batchId: z.uuid() }),
      (ctx, { batchId }, attempt) => runContactExport(ctx, batchId, attempt),
    ),
  ),
  defineJob('contacts.purgeImportFiles', z.object({}), (ctx) => deleteOldFiles(ctx), '17 * * * *'),
];
