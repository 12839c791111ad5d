import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { importArchive, type ImportedArchive } from '../reading/import-archive.ts';
import { ArchiveRefusal } from '../reading/refusal.ts';
import { removeParts } from './remove-parts.ts';
import { reportOf } from './report.ts';
import { importRow, moveImport, setProgress, type ImportRow } from './store.ts';

// The system role: archives that platform staff uploaded belong to no company.

/** Progress is stored at most once in this time. */
const STEP_MS = 1_000;
/** A copy that a process left which died; longer than a job can take. */
const LEFTOVER_MS = 86_400_000;

/** The row went meanwhile, or another attempt ended it: nothing is imported. */
class NotWantedError extends Error {}

/**
 * Job: checks an uploaded archive by a dry run, or imports it. What the archive is refused for is
 * stored; any other error is tried again, and stored after the last attempt. The import and its end
 * are one transaction, so an archive is never imported without being done, nor done without.
 */
export async function runCompanyImport(
  ctx: Ctx,
  { importId, dryRun }: { importId: number; dryRun: boolean },
  attempt: { last: boolean },
): Promise<void> {
  const db = ctx.db.unscoped;
  const row = dryRun
    ? await moveImport(db, importId, ['queued', 'checking'], {
        state: 'checking',
        moved_at: now(ctx),
      })
    : await importRow(db, importId);
  if (!row || row.state !== (dryRun ? 'checking' : 'importing')) return;
  try {
    await withCopy(ctx, row, async (path, sha256) => {
      if (dryRun) await check(ctx, row, path, sha256);
      else await importNow(ctx, row, path, sha256);
    });
  } catch (error) {
    await recordFailure(ctx, row, error, attempt);
  }
}

const now = (ctx: Ctx): Date => ctx.clock();

async function check(ctx: Ctx, row: ImportRow, path: string, sha256: string): Promise<void> {
  const progress = progressOf(ctx, row.id);
  const found = await importArchive(servicesOf(ctx), path, {
    dryRun: true,
    onProgress: progress.set,
  });
  await progress.stored();
  const change = { state: 'ready', progress: 100, report: reportOf(found, sha256) } as const;
  await moveImport(ctx.db.unscoped, row.id, ['checking'], { ...change, moved_at: now(ctx) });
}

async function importNow(ctx: Ctx, row: ImportRow, path: string, sha256: string): Promise<void> {
  const progress = progressOf(ctx, row.id);
  const end = async (tx: Tx, made: ImportedArchive) => {
    await progress.stored();
    const at = { moved_at: now(ctx), finished_at: now(ctx) };
    const change = { state: 'done', progress: 100, report: reportOf(made, sha256), ...at } as const;
    const done = await moveImport(tx, row.id, ['importing'], change);
    if (!done) throw new NotWantedError();
  };
  await importArchive(servicesOf(ctx), path, {
    dryRun: false,
    onProgress: progress.set,
    by: {
      userId: row.imported_by ?? 0,
      name: row.imported_by_name ?? '',
      reason: row.import_reason ?? '',
    },
    onImported: end,
  });
  await removeParts(ctx, [row]);
}

const servicesOf = (ctx: Ctx) => ({ ...ctx, now: ctx.clock });

async function recordFailure(
  ctx: Ctx,
  row: ImportRow,
  error: unknown,
  attempt: { last: boolean },
): Promise<void> {
  if (error instanceof NotWantedError) return;
  const at = { moved_at: now(ctx), finished_at: now(ctx) };
  const running = ['checking', 'importing'] as const;
  if (error instanceof ArchiveRefusal) {
    const refused = { state: 'refused', reasons: error.reasons, ...at } as const;
    await moveImport(ctx.db.unscoped, row.id, running, refused);
    return;
  }
  if (!attempt.last) throw error;
  ctx.log.error({ err: error, importId: row.id }, 'the import of a company failed');
  const failure = failureOf(error);
  await moveImport(ctx.db.unscoped, row.id, running, { state: 'failed', failure, ...at });
}

/** What staff can do about it; details are in the log. */
export function failureOf(error?: unknown): string {
  const { code } = (error ?? {}) as { code?: string };
  if (code === 'file.not_here')
    return 'The uploaded file isn’t in the file storage. Discard it, then upload the archive again. Nothing was changed.';
  if (code === 'ENOSPC')
    return 'The disk of the server is full. Make room, then check the archive again. Nothing was changed.';
  return 'It stopped because of an error on the server, which its log has. Nothing was changed. Check the archive again.';
}

/** Reads the parts into one file on this machine, since a ZIP file is read from its end. */
async function withCopy(
  ctx: Ctx,
  { parts }: ImportRow,
  work: (path: string, sha256: string) => Promise<void>,
): Promise<void> {
  const base = join(ctx.settings.dataDir, 'company-imports');
  await mkdir(base, { recursive: true });
  await removeLeftovers(base);
  const folder = await mkdtemp(join(base, 'copy-'));
  try {
    const path = join(folder, 'archive.zip');
    const hash = createHash('sha256');
    async function* chunks() {
      for (const { key } of parts)
        for await (const chunk of await ctx.files.blobs.stream(key)) {
          hash.update(chunk as Buffer);
          yield chunk as Buffer;
        }
    }
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    await work(path, hash.digest('hex'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const path = join(base, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - LEFTOVER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Stores progress beside the work, which doesn't wait for it. */
function progressOf(ctx: Ctx, id: number) {
  let last = 0;
  let storing: Promise<void> = Promise.resolve();
  return {
    set: (done: number, total: number): void => {
      const at = Date.now();
      if (at - last < STEP_MS) return;
      last = at;
      const percent = Math.min(99, Math.floor((done / Math.max(1, total)) * 100));
      storing = storing
        .then(() => setProgress(ctx.db.unscoped, id, percent, now(ctx)))
        .catch((error: unknown) => ctx.log.debug({ err: error }, 'progress was not stored'));
    },
    stored: (): Promise<void> => storing,
  };
}
