import { refusalOfReason } from '#contract/compliance';
import { refusalText } from '#contract/refusals';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { OutgoingText, SendResult } from '../../ports/messaging.ts';
import { holdLedger } from '../compliance/index.ts';
import { whyNot } from './may-text.ts';
import { enqueueHandOver } from './queue-text.ts';
import { keyOf, settleText } from './settle-text.ts';
import { enqueueAsking } from './ask-carrier.ts';
import { givesUpAfterMs, waitSeconds } from './rules.ts';
import { conversationById, numbersById, type ItemRow } from './store.ts';
import { changeItem, itemById, nextToHandOver } from './store-items.ts';
import type { KeptMedia } from './present.ts';

type Claim = { do: 'send' | 'ask'; item: ItemRow; text: OutgoingText };
/** Pictures can be fetched by the carrier for a week. */
const mediaSeconds = 7 * 86_400;

/**
 * Hand a conversation's waiting texts to the carrier, oldest first, each claimed in one transaction and its answer written
 * in another. A worker may die in between: the row then says `sending`, and the carrier is asked by key before anything
 * else. A text whose answer was lost becomes `unknown` and is never sent again by itself.
 */
export async function handOver(ctx: Ctx, job: { conversationId: number }): Promise<void> {
  for (let n = 0; n < 50; n++) {
    const claim = await ctx.transaction((t) => claimNext(t, job.conversationId));
    if (claim === 'nothing') return;
    if (claim === 'again') continue;
    const goOn = claim.do === 'ask' ? await recover(ctx, claim) : await send(ctx, claim);
    if (!goOn) return;
  }
  await ctx.transaction((t) => enqueueHandOver(t, job.conversationId));
}

/** Claiming is the moment of sending: whoever opted out before it is not texted. */
async function claimNext(t: TxCtx, conversationId: number): Promise<Claim | 'nothing' | 'again'> {
  // The ledger's line before the conversation, as an incoming STOP takes them.
  const party = (await conversationById(t.tx, t.companyId, conversationId, null))?.party;
  if (party) await holdLedger(t.tx, t.companyId, party, 'to_send');
  const conversation = await conversationById(t.tx, t.companyId, conversationId, null, true);
  const item = await nextToHandOver(t.tx, t.companyId, conversationId);
  if (!item) return 'nothing';
  const number = (await numbersById(t.tx, t.companyId, [item.number_id])).get(item.number_id);
  if (!conversation || !number) { await settleText(t, item, { state: 'canceled', code: null, reason: null }); return 'again'; }
  const details = item.details as { content: string; media: KeptMedia[]; automatic: string | null };
  const text: OutgoingText = {
    from: number.number, to: conversation.party, text: details.content, key: keyOf(item),
    media: details.media.filter((m) => m.fileId).map((m) => ({ url: t.settings.publicUrl + t.files.sign(t.companyId, m.fileId!, t.now, mediaSeconds), contentType: m.type, bytes: m.bytes })),
  };
  if (item.delivery_state === 'sending') return { do: 'ask', item, text };
  // The one confirmation of a STOP is the only text that may follow it.
  const reason = details.automatic ? null : await whyNot(t, item.number_id, conversation.party);
  if (reason) {
    const refusal = refusalOfReason[reason];
    await settleText(t, item, { state: 'failed', code: reason === 'contact_opted_out' ? 'opted_out' : reason, reason: refusalText(refusal, { number: formatPhone(conversation.party) }) });
    return 'again';
  }
  return { do: 'send', item: await changeItem(t.tx, t.companyId, item.id, { delivery_state: 'sending', tries: item.tries + 1 }), text };
}

async function recover(ctx: Ctx, { item, text }: Claim): Promise<boolean> {
  const carrier = ctx.ports.messaging;
  const found = await carrier.askByKey(text.key).catch(() => 'away' as const);
  if (found === 'away') return tooLate(ctx, item) ? write(ctx, item, { state: 'unknown', reason: 'The carrier could not be asked.' }) : wait(ctx, item, 'sending');
  if (found) return write(ctx, item, { state: 'accepted', providerId: found.providerId });
  // Never heard of it. Where the carrier promises one text a key, the same key may be sent again; elsewhere it stays in doubt.
  return carrier.guaranteesKey ? send(ctx, { do: 'send', item, text }) : write(ctx, item, { state: 'unknown', reason: 'The worker stopped while sending.' });
}

async function send(ctx: Ctx, { item, text }: Claim): Promise<boolean> {
  const result = await ctx.ports.messaging.send(text).catch((error: unknown): SendResult => ({ state: 'unknown', reason: String(error) }));
  if (result.state !== 'refused' || result.permanent) return write(ctx, item, result);
  return tooLate(ctx, item) ? write(ctx, item, { ...result, code: 'carrier_away' }) : wait(ctx, item, 'queued');
}

async function write(ctx: Ctx, item: ItemRow, result: SendResult): Promise<boolean> {
  await ctx.transaction(async (t) => {
    if (result.state === 'accepted') return settleText(t, item, { state: 'sent', code: null, reason: null, providerId: result.providerId });
    if (result.state === 'refused') return settleText(t, item, { state: 'failed', code: result.code, reason: result.reason, byCarrier: true });
    await settleText(t, item, { state: 'unknown', code: 'unknown', reason: result.reason });
    await enqueueAsking(t, item.id, 1);
  });
  return true;
}

/** The carrier is away or busy: this text and those behind it wait, in their order. */
async function wait(ctx: Ctx, item: ItemRow, state: 'queued' | 'sending'): Promise<boolean> {
  await ctx.transaction(async (t) => {
    await conversationById(t.tx, t.companyId, item.conversation_id, null, true);
    // A receipt may have come meanwhile: what it says stands, and nothing of ours moves it back.
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (row?.delivery_state === 'sending') await changeItem(t.tx, t.companyId, item.id, { delivery_state: state, tries: item.tries });
    await enqueueHandOver(t, item.conversation_id, new Date(t.now.getTime() + waitSeconds(item.tries) * 1000));
  });
  return false;
}
const tooLate = (ctx: Ctx, item: ItemRow) => ctx.now.getTime() - (item.queued_at ?? item.created_at).getTime() > givesUpAfterMs;
