import { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import { defineJob, defineRecurring } from '../../../platform/jobs.ts';
import { writeAuditExport } from './export-audit-log.ts';
import { deleteOldAuditRows } from './store-audit.ts';

// The system role: clocks: find what is due in every company, then work in each one’s own
// transaction.

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
  defineJob(
    'settings.exportAuditLog',
    z.object({ companyId: z.number(), batchId: z.string(), kind: z.string() }),
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 4 },
    (ctx, { batchId }, attempt) => writeAuditExport(ctx, batchId, attempt),
  ),
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
