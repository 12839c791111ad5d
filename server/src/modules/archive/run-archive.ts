import { z } from 'zod';
import { archive as contract } from '#contract';
import { companySettingsOf } from '#contract/settings/rules';
import { exportCompleted, exportProgressed } from '#contract/conversations/exporting/events';
import { audit } from '../../platform/audit.ts';
import { asAsked, batchKind } from '../../platform/batch-kind.ts';
import {
  failBatch,
  finishBatch,
  presentBatch,
  readBatch,
  setBatchProgress,
  type Batch,
} from '../../platform/batches.ts';
import type { Ctx } from '../../platform/context.ts';
import type { ExportedFile } from '../../platform/export-rows.ts';
import { guardedUrl } from '../../platform/guarded-files.ts';
import type { FileGuard } from '../../platform/file-guard.ts';
import { schemaVersion } from '../../platform/migrate.ts';
import { companyRow } from '../companies/index.ts';
import { archivedTables, countRows } from './store-archive.ts';
import { setBatchTotal } from './store-batches.ts';
import { writeArchive } from './write-archive.ts';
import { mailExportJob } from '../../platform/export-jobs.ts';

// The system role: an archive holds the people and the directory entries that the company’s rows
// name.

/** Begins with `export-`, so that progress, mail and expiry are those of exports. */
export const ARCHIVE_KIND = batchKind(
  'export-archive',
  z.object({ guard: asAsked<FileGuard>().optional() }),
);
const PROGRESS_STEPS = 50;

/**
 * Job: writes the archive as of one moment, then stores it and mails the link to whoever asked. A job
 * that died begins again; the file appears whole or not at all.
 */
export async function runArchive(
  ctx: Ctx,
  batchId: string,
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, ARCHIVE_KIND));
  if (!batch || batch.finishedAt) return;
  const audience = batch.createdBy ? { userId: batch.createdBy } : {};
  try {
    await storeArchive(ctx, batch, audience);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, batchId }, 'an archive failed');
    await ctx.transaction(async (t) => {
      const reason = 'The archive couldn’t be created. Try again.';
      const failed = await failBatch(t.tx, t.companyId, batchId, reason, t.now);
      if (!failed) return;
      const { processed, total, failed: failures } = failed;
      await t.publish(
        exportCompleted,
        { batchId, progress: 100, processed, total, failed: failures, resultUrl: null },
        audience,
      );
      await t.publish(contract.archiveChanged, { batchId });
    });
  }
}

async function storeArchive(
  ctx: Ctx,
  batch: Batch<{ guard?: FileGuard | undefined }>,
  audience: { userId?: number },
) {
  const batchId = batch.id;
  const { db } = ctx.inBackground();
  const progress = progressOf(ctx, batchId, audience);
  const made = await db.snapshot({ companyId: ctx.companyId }, async (tx) => {
    const company = await companyRow(tx, ctx.companyId);
    if (!company) return null;
    const tables = await archivedTables(tx);
    let total = 0;
    for (const { name } of tables) total += await countRows(tx, name, ctx.companyId);
    await ctx.transaction((t) => setBatchTotal(t.tx, t.companyId, batchId, total));
    const chunks = writeArchive({
      ...{ tx, directory: db.unscoped, files: ctx.files, tables, now: ctx.now },
      company: { id: company.id, name: company.name, slug: company.slug },
      schema: await schemaVersion(),
      onRows: (rows) => progress.add(rows, total),
    });
    const received = await ctx.files.receive(ctx.companyId, 'application/zip', chunks, ctx.now);
    return { received, company };
  });
  if (!made) return;
  const { received, company } = made;
  const hours = companySettingsOf(company.settings).export_link_hours;
  const until = new Date(ctx.now.getTime() + hours * 3_600_000);
  const name = `${company.slug}-${ctx.now.toISOString().slice(0, 10)}.zip`;
  const isOurs = await ctx.transaction(async (t) => {
    const info = { name, contentType: 'application/zip', purpose: 'archive', received };
    const { guard } = batch.input;
    const nobody = { userId: 0, grants: [], numbers: null };
    const stored = { ...info, deleteAfter: until, guard: guard ?? nobody };
    const { id } = await t.files.insertRow(t.tx, t.companyId, stored, t.now);
    const rows = progress.rows();
    const bytes = received.bytes;
    const file: ExportedFile = { fileId: id, name, bytes, rows, until: until.toISOString() };
    const done = { processed: rows, result: [file] };
    if (!(await finishBatch(t.tx, t.companyId, batchId, done, t.now))) return false;
    await audit(t, 'archive.finished', `company:${t.companyId}`, {
      after: { batchId, requested_by: audience.userId, rows, bytes, sha256: received.sha256 },
    });
    const resultUrl = guardedUrl(t.companyId, id);
    const end = { batchId, progress: 100, processed: rows, total: rows, failed: 0, resultUrl };
    await t.publish(exportCompleted, end, audience);
    await t.publish(contract.archiveChanged, { batchId });
    await t.enqueue(mailExportJob, { batchId, kind: ARCHIVE_KIND.name });
    return true;
  });
  // Another process finished it meanwhile: its file stays.
  if (!isOurs) await ctx.files.blobs.remove(received.key);
}

/** Counts rows and reports them, at most fifty times. */
function progressOf(ctx: Ctx, batchId: string, audience: { userId?: number }) {
  let rows = 0;
  let reported = 0;
  return {
    rows: () => rows,
    add: async (more: number, total: number): Promise<void> => {
      rows += more;
      const steps = Math.floor((rows / Math.max(1, total)) * PROGRESS_STEPS);
      if (steps <= reported) return;
      reported = steps;
      await ctx.transaction(async (t) => {
        const batch = await setBatchProgress(t.tx, t.companyId, batchId, rows);
        if (!batch) return;
        const progress = Math.min(99, presentBatch(batch).progress);
        const state = { batchId, progress, processed: rows, total: batch.total, failed: 0 };
        await t.publish(exportProgressed, state, audience);
      });
    },
  };
}
