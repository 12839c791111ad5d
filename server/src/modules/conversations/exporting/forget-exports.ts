import type { Ctx } from '../../../platform/context.ts';
import { oldFiles } from '../../../platform/files.ts';

/** Every hour: files whose time is over (exports) go, the row first, then the bytes. */
export async function forgetExports(ctx: Ctx): Promise<void> {
  for (const { companyId, id, key } of await oldFiles(ctx.db.directory, ctx.now)) {
    await ctx.db.within({ companyId }, (tx) => ctx.files.forget(tx, companyId, id, ctx.now));
    await ctx.files.bytes.remove(key);
  }
}
