import { greetings as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { presentUse } from './present.ts';
import { placesInWords } from './rules.ts';
import { lockGreeting, removeGreeting, usesOf } from './store.ts';

/** A call that began with it may still play it. */
const soundKeptMs = 86_400_000;

/** DELETE /greetings/{id}: only what nothing uses; the refusal names the places. */
export async function deleteGreeting(ctx: TxCtx, id: number): Promise<void> {
  const row = (await lockGreeting(ctx.tx, ctx.companyId, id)) ?? missing();
  const places = (await usesOf(ctx.tx, ctx.companyId, [id])).map(presentUse);
  if (places.length > 0)
    refuse('greeting.in_use', { places: placesInWords(places) }, { used_by: places });
  await removeGreeting(ctx.tx, ctx.companyId, id);
  await ctx.enqueue(
    'routing.forgetSound',
    { companyId: ctx.companyId, fileId: row.file_id },
    { runAt: new Date(ctx.now.getTime() + soundKeptMs) },
  );
  await audit(ctx, 'greeting.deleted', `greeting:${id}`, {
    before: { name: row.name, type: row.type },
  });
  await ctx.say(contract.greetingChanged, {
    companyId: ctx.companyId,
    greetingId: id,
    change: 'deleted',
  });
}
