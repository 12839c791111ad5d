import type { Ctx } from '../../../platform/context.ts';
import { soundKey } from './store.ts';

/** Deletes an unused sound, its row and then its bytes. Safe to run twice. */
export async function deleteSound(
  ctx: Ctx,
  { companyId, fileId }: { companyId: number; fileId: number },
): Promise<void> {
  const key = await ctx.transaction(async (t) => {
    await t.files.markDeleted(t.tx, companyId, fileId, t.now);
    return soundKey(t.tx, companyId, fileId);
  });
  if (key !== undefined) await ctx.files.blobs.remove(key);
}
