import type { Ctx } from '../../../platform/context.ts';
import { forgetParts, type ImportRow } from './store.ts';

// The system role: archives that platform staff uploaded belong to no company.

/** Removes the uploaded bytes. Repeated after an error, as the row names them until all are gone. */
export async function removeParts(
  ctx: Pick<Ctx, 'db' | 'files'>,
  rows: readonly ImportRow[],
): Promise<void> {
  for (const { id, parts } of rows) {
    for (const { key } of parts) await ctx.files.blobs.remove(key);
    await forgetParts(ctx.db.unscoped, id);
  }
}
