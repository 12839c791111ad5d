import { greetings as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { presentUse } from './present.ts';
import { describeUses } from './rules.ts';
import { lockGreeting, deleteGreetingRow, greetingUses } from './store.ts';
import { deleteSoundJob } from '../job-kinds.ts';

/** The sound is deleted after a day: running calls may still play it. */
const soundTtlMs = 86_400_000;

/** DELETE /greetings/{id}. Throws greeting.in_use with the places that use it. */
export async function deleteGreeting(ctx: TxCtx, id: number): Promise<void> {
  const row = (await lockGreeting(ctx.tx, ctx.companyId, id)) ?? notFound();
  const places = (await greetingUses(ctx.tx, ctx.companyId, [id])).map(presentUse);
  if (places.length > 0)
    fail('greeting.in_use', { places: describeUses(places) }, { used_by: places });
  await deleteGreetingRow(ctx.tx, ctx.companyId, id);
  await ctx.enqueue(
    deleteSoundJob,
    { companyId: ctx.companyId, fileId: row.file_id },
    { runAt: new Date(ctx.now.getTime() + soundTtlMs) },
  );
  await audit(ctx, 'greeting.deleted', `greeting:${id}`, {
    before: { name: row.name, type: row.type },
  });
  await ctx.publish(contract.greetingChanged, {
    companyId: ctx.companyId,
    greetingId: id,
    change: 'deleted',
  });
}
