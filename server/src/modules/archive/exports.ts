import { archive as contract, type Answer } from '#contract';
import { audit, auditOnce } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findFile } from '../../platform/files.ts';
import { guardedUrl, mayFetch } from '../../platform/guarded-files.ts';
import type { FileGuard } from '../../platform/file-guard.ts';
import type { Http } from '../../platform/routes.ts';
import { sendFile } from '../../platform/serve-file.ts';
import { exportRows, type ExportRow } from './store-exports.ts';

// The system role: an archive holds the people and the directory entries that the company’s rows
// name.

/** For how long the parts of a file count as one download. */
const PARTS_MS = 60 * 60_000;

type Exported = Answer<typeof contract.getExport>['data'];

/** Whose exports the actor may see and delete: null: everyone's; otherwise their own. */
const ownOnly = (ctx: Ctx): number | null =>
  ctx.may('company.export') === 'all' ? null : ctx.actor.userId;

const present = (ctx: Ctx, row: ExportRow): Exported => ({
  id: row.id,
  name: row.name,
  bytes: Number(row.bytes),
  made_by: { id: row.guard.userId, name: row.made_by ?? '' },
  made_at: row.created_at.toISOString(),
  until: row.delete_after.toISOString(),
  url: mayFetch(ctx, row.guard) ? guardedUrl(ctx.companyId, row.id) : null,
});

/** The exported files that are still kept: one's own, or all for those who may export the company. */
export async function listExports(ctx: Ctx): Promise<Answer<typeof contract.listExports>> {
  const filter = { userId: ownOnly(ctx), now: ctx.now };
  const rows = await exportRows(ctx.db.unscoped, ctx.companyId, filter);
  return { data: rows.map((row) => present(ctx, row)) };
}

async function requireExport(ctx: Ctx, fileId: number, archives = false): Promise<ExportRow> {
  const filter = { userId: ownOnly(ctx), fileId, archives, now: ctx.now };
  return (await exportRows(ctx.db.unscoped, ctx.companyId, filter))[0] ?? notFound();
}

/** An exported file's or archive's name and link. `not_found` for another person's. */
export const getExport = async (
  ctx: Ctx,
  fileId: number,
): Promise<Answer<typeof contract.getExport>> => ({
  data: present(ctx, await requireExport(ctx, fileId, true)),
});

/**
 * The bytes of an export or archive, for the person it was made for and only while they may read all
 * that is in it. `not_found` otherwise, as if it weren't there.
 */
export async function downloadExport(ctx: Ctx, fileId: number, http: Http): Promise<unknown> {
  const row = await ctx.transaction((t) => findFile(t.tx, t.companyId, fileId));
  const isKept = row?.delete_after && new Date(row.delete_after) > ctx.now;
  if (!row || !isKept || row.guard === null || !mayFetch(ctx, row.guard as unknown as FileGuard))
    return notFound();
  // Before the bytes: what can't be noted isn't handed out.
  if (http.request.method !== 'HEAD') await noteDownload(ctx, row, http.request.headers.range);
  return sendFile(ctx, row, http, { isDownload: true });
}

/** A row for each fetch; parts, which programs fetch one by one, have one an hour. */
const noteDownload = (
  ctx: Ctx,
  { id, name, bytes, purpose }: NonNullable<Awaited<ReturnType<typeof findFile>>>,
  range: string | undefined,
): Promise<void> =>
  ctx.transaction((t) => {
    const action = purpose === 'archive' ? 'archive.downloaded' : 'export.downloaded';
    const change = { after: { name, bytes } };
    if (range === undefined) return audit(t, action, `file:${id}`, change);
    const since = new Date(t.now.getTime() - PARTS_MS);
    return auditOnce(t, action, `file:${id}`, change, since);
  });

/** Deletes an exported file, the row before the bytes. `not_found` for another person's. */
export async function deleteExport(ctx: Ctx, fileId: number): Promise<void> {
  const { name, guard } = await requireExport(ctx, fileId);
  await removeFile(ctx, fileId, async (t) => {
    await audit(t, 'export.deleted', `file:${fileId}`, { before: { name, made_by: guard.userId } });
    await t.publish(contract.exportsChanged, { companyId: t.companyId });
  });
}

/** Deletes a file with what `work` writes about it; then its bytes. */
export async function removeFile(
  ctx: Ctx,
  fileId: number,
  work: (t: Parameters<Parameters<Ctx['transaction']>[0]>[0]) => Promise<void>,
): Promise<void> {
  const key = await ctx.transaction(async (t) => {
    const row = await findFile(t.tx, t.companyId, fileId);
    if (row) await t.files.markDeleted(t.tx, t.companyId, fileId, t.now);
    await work(t);
    return row?.key;
  });
  if (key) await ctx.files.blobs.remove(key);
}
