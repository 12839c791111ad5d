import { setImmediate } from 'node:timers/promises';
import type { PermissionKey } from '#contract';
import { exportsChanged } from '#contract/archive/events';
import type { AuditAction } from '#contract/settings/audit/actions';
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
import { z } from 'zod';
import { asAsked, type BatchKind } from './batch-kind.ts';
import type { Ctx, TxCtx } from './context.ts';
import {
  contentTypeOf,
  exportFormats,
  writeRows,
  type ExportColumn,
  type ExportFormat,
  type FileFormat,
} from './export-formats.ts';
import { fail } from './errors.ts';
import { mailExportJob, type ExportPayload } from './export-jobs.ts';
import type { JobKind } from './job-kind.ts';
import { inParts, PART_ROWS, zipParts } from './export-parts.ts';
import type { FileGuard } from './file-guard.ts';
import { guardedUrl, guardFor } from './guarded-files.ts';

/** After so many rows, whatever else this process does has its turn: it sends texts, too. */
const TURN_ROWS = 250;
/** The most rows of one export: what has more is a table to be copied, not a file to be looked at. */
export const MAX_EXPORT_ROWS = 20 * PART_ROWS;

/** What every export's batch stores as input; the rest is its module's. */
export const exportInput = {
  format: z.enum(exportFormats),
  tz: z.string(),
  columns: z.array(z.string()).readonly(),
  /** Who asked, and what they could see then. */
  guard: asAsked<FileGuard>().optional(),
};
interface ExportInput {
  format: FileFormat;
  tz: string;
  columns: readonly string[];
  guard?: FileGuard | undefined;
}
/** `result[0]` of a finished export's batch. */
export interface ExportedFile {
  fileId: number;
  name: string;
  bytes: number;
  rows: number;
  until: string;
}

/**
 * How a module's rows become a file. `page` returns the next rows after `after` (null: from the
 * start) and where to continue (null: these were the last), in a short transaction of its own. Walk
 * an index (keyset), never an offset, and only up to when the export was requested, so that rows
 * that arrive meanwhile are left out.
 */
export interface ExportSpec<R, A> {
  kind: BatchKind<ExportInput>;
  name: string;
  format: ExportFormat;
  /** Writes all rows as a PDF instead, so there can't be many. */
  pdf?: (rows: readonly R[]) => Promise<Buffer>;
  tz: string;
  columns: readonly ExportColumn<R>[];
  page: (t: TxCtx, after: A | null) => Promise<{ rows: readonly R[]; after: A | null }>;
  /** How long the file can be fetched (setting `export_link_hours`). */
  linkHours: number;
}

type KindOf<A> = A extends `${infer K extends `export-${string}`}.begun` ? K : never;
/** Kinds of exports; each has an action in the audit log. */
type ExportKind = KindOf<AuditAction>;

/**
 * Creates an export's batch and queues `job`, with the payload `{ companyId, batchId, kind }`.
 * @param e.total rows that the filters match now
 * @throws ApiError `export.too_large`
 */
export async function createExport<Input extends ExportInput>(
  ctx: TxCtx,
  e: {
    kind: BatchKind<Input> & { readonly name: ExportKind };
    job: JobKind<ExportPayload>;
    input: NoInfer<Omit<Input, 'guard'>>;
    total: number;
    /** The permission it is asked for by: whoever fetches the file must still have it. */
    permission: PermissionKey;
    /** Other companies that the file tells of, and of which of their numbers (null: all). */
    others?: readonly { id: number; only: readonly number[] | null }[];
  },
): Promise<{ batchId: string; status: 'queued'; total: number }> {
  if (e.total > MAX_EXPORT_ROWS)
    fail('export.too_large', {
      most: MAX_EXPORT_ROWS.toLocaleString('en-US'),
      n: e.total.toLocaleString('en-US'),
    });
  const batchId = await createBatch(ctx, {
    kind: e.kind,
    input: { ...e.input, guard: guardFor(ctx, e.permission, e.others) } as Input,
    total: e.total,
  });
  await audit(ctx, `${e.kind.name}.begun`, `company:${ctx.companyId}`, {
    after: { ...e.input, total: e.total },
  });
  await ctx.enqueue(e.job, { batchId, kind: e.kind.name });
  return { batchId, status: 'queued', total: e.total };
}

/**
 * Writes an export's file page by page, and reports its progress to whoever asked (on their own
 * channel, because nobody else may have the file's URL). A job that died begins again from the start;
 * the file appears whole or not at all. A failure throws, and on the last attempt fails the batch.
 */
export async function runExport<R, A>(
  ctx: Ctx,
  batchId: string,
  spec: ExportSpec<R, A>,
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, spec.kind));
  if (!batch || batch.finishedAt) return;
  const run = new ExportRun(ctx, batchId, spec, batch);
  try {
    await run.writeFile();
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error({ err: error, batchId }, 'an export failed');
    await run.fail();
  }
}

/** Progress is reported at most this often, however long the file. */
const PROGRESS_STEPS = 50;

class ExportRun<R, A> {
  /** Rows written so far. */
  private rows = 0;
  private reportedSteps = 0;
  private readonly audience: { userId?: number };

  constructor(
    private readonly ctx: Ctx,
    private readonly batchId: string,
    private readonly spec: ExportSpec<R, A>,
    private readonly batch: { total: number; createdBy: number | null; input: ExportInput },
  ) {
    this.audience = batch.createdBy ? { userId: batch.createdBy } : {};
  }

  async writeFile(): Promise<void> {
    const { ctx, spec } = this;
    const { format, pieces } = this.file();
    const contentType = contentTypeOf[format];
    const received = await ctx.files.receive(ctx.companyId, contentType, pieces, ctx.now);
    const until = new Date(ctx.now.getTime() + spec.linkHours * 3_600_000);
    const name = `${spec.name}.${format}`;
    const isOurs = await ctx.transaction(async (t) => {
      const { id } = await t.files.insertRow(
        t.tx,
        t.companyId,
        { name, contentType, purpose: 'export', received, deleteAfter: until, guard: this.guard() },
        t.now,
      );
      return this.finish(t, {
        fileId: id,
        name,
        bytes: received.bytes,
        rows: this.rows,
        until: until.toISOString(),
      });
    });
    // Another process finished it meanwhile: its file stays.
    if (!isOurs) await ctx.files.blobs.remove(received.key);
  }

  private file(): { format: FileFormat | 'zip'; pieces: AsyncGenerator<Buffer> } {
    const { name, format, pdf, columns, tz } = this.spec;
    if (pdf) return { format: 'pdf', pieces: this.asPdf(pdf) };
    const write = (pages: AsyncIterable<readonly R[]>) => writeRows(format, pages, columns, tz);
    if (this.batch.total <= PART_ROWS) return { format, pieces: write(this.pages()) };
    // A workbook is compressed already.
    const file = { name, extension: format, compress: format !== 'xlsx', at: this.ctx.now };
    return { format: 'zip', pieces: zipParts(inParts(this.pages(), PART_ROWS), write, file) };
  }

  async fail(): Promise<void> {
    const sentence = 'The file couldn’t be created. Try again.';
    await this.ctx.transaction(async (t) => {
      const failed = await failBatch(t.tx, t.companyId, this.batchId, sentence, t.now);
      if (!failed) return;
      const { processed, total, failed: failures } = failed;
      await t.publish(
        exportCompleted,
        {
          batchId: this.batchId,
          progress: 100,
          ...{ processed, total, failed: failures },
          resultUrl: null,
        },
        this.audience,
      );
    });
  }

  /** @returns false if the batch was finished already */
  private async finish(t: TxCtx, file: ExportedFile): Promise<boolean> {
    const { batchId, rows } = this;
    const result = { processed: rows, result: [file] };
    if (!(await finishBatch(t.tx, t.companyId, batchId, result, t.now))) return false;
    const resultUrl = guardedUrl(t.companyId, file.fileId);
    await t.publish(
      exportCompleted,
      { batchId, progress: 100, processed: rows, total: rows, failed: 0, resultUrl },
      this.audience,
    );
    await t.publish(exportsChanged, { companyId: t.companyId });
    await t.enqueue(mailExportJob, { batchId, kind: this.spec.kind.name });
    return true;
  }

  /** For whoever asked, with what they could see then; without that nobody fetches it. */
  private guard(): FileGuard {
    const { input, createdBy } = this.batch;
    return input.guard ?? { userId: createdBy ?? 0, grants: [], numbers: null };
  }

  /** The pages, one after the other; the next one is read while this one is written, so that two are held at most. */
  private async *pages(): AsyncGenerator<readonly R[]> {
    for (let next: ReturnType<typeof this.readPage> | null = this.readPage(null); next;) {
      const page: { rows: readonly R[]; after: A | null } = await next;
      this.rows += page.rows.length;
      next = page.after !== null && this.rows < MAX_EXPORT_ROWS ? this.readPage(page.after) : null;
      for (let at = 0; at < page.rows.length; at += TURN_ROWS) {
        if (at > 0) await setImmediate();
        yield page.rows.slice(at, at + TURN_ROWS);
      }
    }
  }

  private async *asPdf(write: (rows: readonly R[]) => Promise<Buffer>): AsyncGenerator<Buffer> {
    const rows: R[] = [];
    for await (const page of this.pages()) rows.push(...page);
    yield await write(rows);
  }

  private readPage(after: A | null): Promise<{ rows: readonly R[]; after: A | null }> {
    const page = this.ctx.transaction(async (t) => {
      await this.reportProgress(t);
      return this.spec.page(t, after);
    });
    page.catch(() => {}); // `pages` awaits it later
    return page;
  }

  private async reportProgress(t: TxCtx): Promise<void> {
    const { batchId, rows } = this;
    const steps = Math.floor((rows / Math.max(1, this.batch.total)) * PROGRESS_STEPS);
    if (steps <= this.reportedSteps) return;
    this.reportedSteps = steps;
    const batch = await setBatchProgress(t.tx, t.companyId, batchId, rows);
    if (!batch) return;
    const progress = Math.min(99, presentBatch(batch).progress);
    await t.publish(
      exportProgressed,
      { batchId, progress, processed: rows, total: batch.total, failed: 0 },
      this.audience,
    );
  }
}

/** The URL of an export's file. Null: not finished, or no longer kept. */
export function exportUrl(
  ctx: Pick<Ctx, 'companyId' | 'now'>,
  result: readonly unknown[],
): { url: string; file: ExportedFile } | null {
  const file = result[0] as ExportedFile | undefined;
  return file && Date.parse(file.until) > ctx.now.getTime()
    ? { url: guardedUrl(ctx.companyId, file.fileId), file }
    : null;
}
