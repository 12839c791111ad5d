import type { Ctx } from '../../../platform/context.ts';
import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { exportAuditLogJob } from './job-kinds.ts';
import { writeAuditExport } from './export-audit-log.ts';
import { deleteOldAuditRows } from './store-audit.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Rows per statement: each is a short transaction. */
const DELETE_ROWS = 2000;
/** Statements per run; the rest waits for the next day. */
const MAX_DELETES = 500;

/** Daily: removes entries older than `AUDIT_KEEP_DAYS`, through the database's own function. */
async function deleteOldEntries(ctx: Ctx): Promise<void> {
  const olderThan = new Date(ctx.now.getTime() - ctx.settings.auditKeepDays * 86_400_000);
  const { unscoped: directory } = ctx.inBackground().db;
  for (let n = 0; n < MAX_DELETES; n++)
    if ((await deleteOldAuditRows(directory, olderThan, DELETE_ROWS)) < DELETE_ROWS) break;
}

export const jobs = [
  runJob(exportAuditLogJob, (ctx, { batchId }, attempt) => writeAuditExport(ctx, batchId, attempt)),
  defineRecurring(
    'audit.deleteOld',
    {
      cron: '35 4 * * *',
      does: 'deletes entries of the audit log that are older than AUDIT_KEEP_DAYS',
      queue: 'bulk',
      timeoutSeconds: 3600,
    },
    deleteOldEntries,
  ),
];
