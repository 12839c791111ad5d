import { files as contract, type Params, type Query } from '#contract';
import { defineRoutes, withoutTransaction, type Http } from './routes.ts';
import type { Ctx } from './context.ts';
import { findFile } from './files.ts';
import { notFound, fail } from './errors.ts';

/** Content types that may be shown inline; everything else is a download. */
const inlineTypes = /^(image\/(png|jpeg|gif|webp)|audio\/|video\/mp4|application\/pdf)/;

/** A file by its signed URL. Files that were made for one person have none. */
async function serveFile(
  ctx: Ctx,
  id: number,
  query: Query<typeof contract.getFile>,
  http: Http,
): Promise<unknown> {
  const [companyId, expires] = [Number(query.company), Number(query.expires)];
  if (
    ![companyId, expires].every(Number.isSafeInteger) ||
    !ctx.files.verifyUrl(companyId, id, expires, query.signature ?? '', ctx.now)
  )
    fail('link.expired');
  const row =
    (await ctx.db.transaction({ companyId }, (tx) => findFile(tx, companyId, id))) ?? notFound();
  if (row.guard !== null || row.purpose === 'export') return notFound();
  return sendFile(ctx, row, http, { isDownload: query.download === '1' });
}

/** Sends a file's bytes, whole or the requested range (players seek). */
export async function sendFile(
  ctx: Ctx,
  row: NonNullable<Awaited<ReturnType<typeof findFile>>>,
  { request, reply }: Http,
  { isDownload }: { isDownload: boolean },
): Promise<unknown> {
  const part = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  const range =
    part && (part[1] || part[2])
      ? {
          start: part[1] ? Number(part[1]) : Math.max(0, row.bytes - Number(part[2])),
          end: part[1] && part[2] ? Math.min(Number(part[2]), row.bytes - 1) : row.bytes - 1,
        }
      : null;
  const outOfRange = range !== null && range.start > range.end;
  // Opened before the headers are sent: missing bytes get an error of their own.
  const bytes = outOfRange ? null : await ctx.files.blobs.stream(row.key, range ?? undefined);
  void reply.headers({
    'content-type': row.content_type,
    'accept-ranges': 'bytes',
    // What access decides about is asked for each time.
    'cache-control': row.guard === null ? 'private, max-age=600' : 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `${inlineTypes.test(row.content_type) && !isDownload ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(row.name)}`,
  });
  if (bytes === null) return reply.code(416).header('content-range', `bytes */${row.bytes}`).send();
  if (range)
    return reply
      .code(206)
      .headers({
        'content-range': `bytes ${range.start}-${range.end}/${row.bytes}`,
        'content-length': String(range.end - range.start + 1),
      })
      .send(bytes);
  return reply.header('content-length', String(row.bytes)).send(bytes);
}

export const routes = defineRoutes(contract, {
  getFile: withoutTransaction(async (ctx, { params, query }, http) =>
    serveFile(ctx, (params as Params<typeof contract.getFile>).id, query, http),
  ),
});
