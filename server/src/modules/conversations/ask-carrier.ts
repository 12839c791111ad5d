import type { Ctx, TxCtx } from '../../platform/context.ts';
import { waitSeconds } from './rules.ts';
import { keyOf, settleText } from './settle-text.ts';
import { itemById } from './store-items.ts';

/** After this many questions (about twenty minutes) a text stays `unknown` until the carrier reports by itself. */
const mostQuestions = 10;

export const enqueueAsking = (t: TxCtx, itemId: number, times: number) =>
  t.enqueue(
    'conversations.askCarrier',
    { itemId, times },
    {
      key: `ask:${t.companyId}:${itemId}`,
      runAt: new Date(t.now.getTime() + waitSeconds(times + 1) * 1000),
    },
  );

/** Ask what became of a text whose answer was lost. Only asks: it is never sent again by itself. */
export async function askCarrier(ctx: Ctx, job: { itemId: number; times: number }): Promise<void> {
  const item = await ctx.transaction((t) => itemById(t.tx, t.companyId, job.itemId));
  if (!item || item.delivery_state !== 'unknown') return;
  const ask = async () =>
    ctx.ports.carriers.messaging(item.carrier ?? ctx.ports.messaging.name).askByKey(keyOf(item));
  const found = await ask().catch(() => null);
  await ctx.transaction(async (t) => {
    if (found)
      await settleText(t, item, {
        state: found.state,
        code: null,
        reason: null,
        providerId: found.providerId,
        byCarrier: true,
      });
    else if (job.times < mostQuestions) await enqueueAsking(t, item.id, job.times + 1);
  });
}
