import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { importJob, undoImportJob, exportJob } from './job-kinds.ts';
import { runContactExport } from './export-contacts.ts';
import { deleteOldFiles } from './delete-old-files.ts';
import { runContactImport } from './run-contact-import.ts';
import { runContactImportUndo } from './undo-contact-import.ts';

export const jobs = [
  runJob(importJob, (ctx, { importId }, attempt) => runContactImport(ctx, importId, attempt)),
  runJob(undoImportJob, (ctx, { importId, by }) => runContactImportUndo(ctx, importId, by || null)),
  runJob(exportJob, (ctx, { batchId }, attempt) => runContactExport(ctx, batchId, attempt)),
  defineRecurring(
    'contacts.purgeImportFiles',
    { cron: '17 * * * *', does: 'deletes files of imports', queue: 'default', timeoutSeconds: 600 },
    (ctx) => deleteOldFiles(ctx),
  ),
];
