import { exportCompleted, exportProgressed } from '#contract/conversations/exporting/events';
import { audit } from './audit.ts';
import {
  createBatch,
  failBatch,
  finishBatch,
  setBatchProgress,
  presentBatch,
  readBatch,
} from './batches.ts';
import type { Ctx, TxCtx } from './context.ts';
import {
  contentTypeOf,
  writeRows,
  type ExportColumn,
  type ExportFormat,
} from './export-formats.ts';
import { fail } from './errors.ts';

/** Nothing longer leaves in one file (A22). */
export const MAX_EXPORT_ROWS = 1_000_000;
const MAIL_JOB = 'exports.mail';

/** What an export's batch remembers of itself; the rest of `input` is its module's. */
export interface ExportInput {
  format: ExportFormat;
  tz: string;
  columns: readonly string[];
}
/** What came of it: `result[0]` of its batch. */
export interface ExportedFile {
  fileId: number;
  name: string;
  bytes: number;
  rows: number;
  until: string;
}

/**
 * How a module's rows become a file. `page` gives the next rows after `after` (null: from the start) and where to go on
 * (null: that was all), in a short transaction of its own: a file of minutes holds none open. Walk an index (keyset), never
 * an offset, and bound it by when the export was asked for, so that rows which arrive meanwhile are left out.
 */
export interface ExportSpec<R, A> {
  /** The batch's kind: `export-` and what of. */
  kind: string;
  name: string;
  format: ExportFormat;
  tz: string;
  columns: readonly ExportColumn<R>[];
  page: (t: TxCtx, after: A | null) => Promise<{ rows: readonly R[]; after: A | null }>;
  /** How long the file can be fetched (setting `export_link_hours`). */
  linkHours: number;
}

/** Write down an export and let `job` do it; its payload is `{ companyId, batchId, kind }`. `total` is what the filters match now. */
export async function createExport(
  ctx: TxCtx,
  e: { kind: string; job: string; input: ExportInput & Record<string, unknown>; total: number },
): Promise<{ batchId: string; status: 'queued'; total: number }> {
  if (e.total > MAX_EXPORT_ROWS)
    fail('export.too_large', {
      most: MAX_EXPORT_ROWS.toLocaleString('en-US'),
      n: e.total.toLocaleString('en-US'),
    });
  const batchId = await createBatch(ctx, { kind: e.kind, input: e.input, total: e.total });
  await audit(ctx, `${e.kind}.begun`, `company:${ctx.companyId}`, {
    after: { ...e.input, total: e.total },
  });
  await ctx.enqueue(e.job, { batchId, kind: e.kind });
  return { batchId, status: 'queued', total: e.total };
}

/**
 * Do an export: its rows go page by page into a file, its progress to whoever asked (their own channel: the address of the
 * file is nobody else's). A job that died begins again from the start; the file appears whole or not at all.
 */
export async function runExport<R, A>(
  ctx: Ctx,
  batchId: string,
  plan: ExportSpec<R, A>,
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, plan.kind));
  if (!batch || batch.finishedAt) return;
  const to = batch.createdBy ? { userId: batch.createdBy } : {};
  let rows = 0;
  try {
    const received = await ctx.files.receive(
      ctx.companyId,
      contentTypeOf[plan.format],
      writeRows(plan.format, pages(), plan.columns, plan.tz),
      ctx.now,
    );
    const file: ExportedFile = {
      fileId: 0,
      name: `${plan.name}.${plan.format}`,
      bytes: received.bytes,
      rows,
      until: new Date(ctx.now.getTime() + plan.linkHours * 3_600_000).toISOString(),
    };
    const done = await ctx.transaction(async (t) => {
      const { id } = await t.files.insertRow(
        t.tx,
        t.companyId,
        {
          name: file.name,
          contentType: contentTypeOf[plan.format],
          purpose: 'export',
          received,
          deleteAfter: new Date(file.until),
        },
        t.now,
      );
      const finished = await finishBatch(
        t.tx,
        t.companyId,
        batchId,
        { processed: rows, result: [{ ...file, fileId: id }] },
        t.now,
      );
      if (!finished) return false;
      await t.publish(
        exportCompleted,
        {
          batchId,
          progress: 100,
          processed: rows,
          total: rows,
          failed: 0,
          resultUrl: t.files.signUrl(t.companyId, id, t.now, plan.linkHours * 3600),
        },
        to,
      );
      await t.enqueue(MAIL_JOB, { batchId, kind: plan.kind });
      return true;
    });
    // Somebody else finished it meanwhile: theirs stands.
    if (!done) await ctx.files.blobs.remove(received.key);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, batchId }, 'an export failed');
    await ctx.transaction(async (t) => {
      const failed = await failBatch(
        t.tx,
        t.companyId,
        batchId,
        'The file couldn’t be created. Try again.',
        t.now,
      );
      if (failed)
        await t.publish(
          exportCompleted,
          {
            batchId,
            progress: 100,
            processed: failed.processed,
            total: failed.total,
            failed: failed.failed,
            resultUrl: null,
          },
          to,
        );
    });
  }

  async function* pages(): AsyncGenerator<readonly R[]> {
    let said = 0;
    // The database looks for the next page while this one is written: two pages are held, never more.
    const pageAfter = (after: A | null) => {
      const coming = ctx.transaction(async (t) => {
        // What was written so far is told with the next page; at most fifty times, however long the file.
        const part = Math.floor((rows / Math.max(1, batch!.total)) * 50);
        if (part > said) {
          said = part;
          const now = await setBatchProgress(t.tx, t.companyId, batchId, rows);
          if (now)
            await t.publish(
              exportProgressed,
              {
                batchId,
                progress: Math.min(99, presentBatch(now).progress),
                processed: rows,
                total: now.total,
                failed: 0,
              },
              to,
            );
        }
        return plan.page(t, after);
      });
      coming.catch(() => {}); // whoever waits for it hears of it
      return coming;
    };
    for (let coming: ReturnType<typeof pageAfter> | null = pageAfter(null); coming;) {
      const page: { rows: readonly R[]; after: A | null } = await coming;
      rows += page.rows.length;
      coming = page.after !== null && rows < MAX_EXPORT_ROWS ? pageAfter(page.after) : null;
      if (page.rows.length) yield page.rows;
    }
  }
}

/** The address of an export's file, new with each question, for as long as the file is kept. Null: not there (yet, or any more). */
export function signedExportUrl(
  ctx: Pick<Ctx, 'files' | 'companyId' | 'now'>,
  result: readonly unknown[],
): { url: string; file: ExportedFile } | null {
  const file = result[0] as ExportedFile | undefined;
  if (!file) return null;
  const left = Math.floor((Date.parse(file.until) - ctx.now.getTime()) / 1000);
  return left > 0
    ? { url: ctx.files.signUrl(ctx.companyId, file.fileId, ctx.now, left), file }
    : null;
}
