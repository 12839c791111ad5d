import type { DeliveryState } from '#contract/conversations';
import { campaignTextsFiled } from '#contract/campaigns';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fileTexts, moveFiledTexts, type KeptMedia } from '../conversations/index.ts';
import { campaignById } from './store.ts';
import { anyUnfiled, unfiled, writeFiled } from './store-batches.ts';
import { linesByIds, type Moved } from './store-ledger.ts';
import { fileSoon } from './tell.ts';

const some = 50;
/** While more is sent, a text whose receipt may still come waits so long for it: it is then written into the inbox once, and not once more. */
const receiptMs = 2000;
/** A line's state in the words of a conversation. */
const deliveryStateOf = (state: string): DeliveryState =>
  state === 'handed' ? 'sent' : (state as DeliveryState);
export const moveOf = (r: Moved) => ({
  itemId: r.item_id!,
  state: deliveryStateOf(r.state),
  code: r.error_code,
  text: r.error_text,
});

/** Give a campaign's texts their places in conversations, fifty at a time. Sending does not wait for it. */
export async function fileCampaign(ctx: Ctx, job: { campaignId: number }): Promise<void> {
  const behind = ctx.standBack();
  while ((await behind.transaction((t) => fileSome(t, job.campaignId))) === some);
}

async function fileSome(t: TxCtx, campaignId: number): Promise<number> {
  const c = await campaignById(t.tx, t.companyId, campaignId, null);
  if (!c?.number_id) return 0;
  const goesOn = c.state === 'sending';
  const lines = await unfiled(
    t.tx,
    t.companyId,
    campaignId,
    some,
    goesOn ? new Date(t.now.getTime() - receiptMs) : null,
  );
  if (
    goesOn &&
    lines.length < some &&
    (await anyUnfiled(
      t.tx,
      t.companyId,
      campaignId,
      lines.map((l) => l.id),
    ))
  )
    await fileSoon(t, campaignId, new Date(t.now.getTime() + receiptMs));
  if (!lines.length) {
    await writeFiled(t.tx, t.companyId, campaignId, []);
    return 0;
  }
  const filed = await fileTexts(t, {
    numberId: c.number_id,
    carrier: lines[0]!.carrier,
    actor: { id: c.user_id, name: c.user_name },
    skipInbox: c.skip_inbox,
    texts: lines.map((l) => ({
      party: l.to_number,
      content: l.text,
      media: c.media as KeptMedia[],
      at: l.handed_at ?? t.now,
      state: deliveryStateOf(l.state),
      code: l.error_code,
      reason: l.error_text,
      source: `campaign:${l.id}`,
    })),
  });
  await writeFiled(
    t.tx,
    t.companyId,
    campaignId,
    lines.flatMap((l) => {
      const f = filed.get(`campaign:${l.id}`);
      return f ? [{ id: l.id, ...f }] : [];
    }),
  );
  await t.say(
    campaignTextsFiled,
    { campaignId, numberId: c.number_id, count: lines.length },
    { numberId: c.number_id },
  );
  return lines.length;
}

/** Filed texts whose lines moved without a receipt. */
export async function moveTexts(
  ctx: Ctx,
  job: { campaignId: number; ids: number[] },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const c = await campaignById(t.tx, t.companyId, job.campaignId, null);
    const moved = await moveFiledTexts(
      t,
      (await linesByIds(t.tx, t.companyId, job.ids)).filter((l) => l.item_id).map(moveOf),
    );
    if (c?.number_id && moved)
      await t.say(
        campaignTextsFiled,
        { campaignId: c.id, numberId: c.number_id, count: moved },
        { numberId: c.number_id },
      );
  });
}
