import { z } from 'zod';
import { inBulk, job } from '../../../platform/jobs.ts';
import { EXPORT_JOB, runContactExport } from './export-contacts.ts';
import { forgetOldFiles } from './forget-old-files.ts';
import { runContactImport } from './run-contact-import.ts';
import { runContactImportUndo } from './undo-contact-import.ts';

export const jobs = [
  inBulk(
    job(
      'contacts.import',
      z.object({ companyId: z.number(), importId: z.number() }),
      (ctx, { importId }, attempt) => runContactImport(ctx, importId, attempt),
    ),
  ),
  inBulk(
    job(
      'contacts.undoImport',
      z.object({ companyId: z.number(), importId: z.number(), by: z.number() }),
      (ctx, { importId, by }) => runContactImportUndo(ctx, importId, by || null),
    ),
  ),
  inBulk(
    job(
      EXPORT_JOB,
      z.object({ companyId: z.number(), batchId: z.uuid() }),
      (ctx, { batchId }, attempt) => runContactExport(ctx, batchId, attempt),
    ),
  ),
  job('contacts.forgetImportFiles', z.object({}), (ctx) => forgetOldFiles(ctx), '17 * * * *'),
];
