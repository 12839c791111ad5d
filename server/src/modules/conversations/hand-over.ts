import { refusalOfReason } from '#contract/compliance';
import { refusalText } from '#contract/refusals';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierNotConnected } from '../../ports/carrier.ts';
import type { OutgoingText, SendResult } from '../../ports/messaging.ts';
import { holdLedger, takeTurn } from '../compliance/index.ts';
import { wayAround } from '../numbers/index.ts';
import { whyNot } from './may-text.ts';
import { enqueueHandOver } from './queue-text.ts';
import { keyOf, settleText } from './settle-text.ts';
import { enqueueAsking } from './ask-carrier.ts';
import { givesUpAfterMs, waitSeconds } from './rules.ts';
import { conversationById, numbersById, type ItemRow } from './store.ts';
import { changeItem, itemById, nextToHandOver } from './store-items.ts';
import type { KeptMedia } from './present.ts';

/** Its turn comes so soon that a job of its own would come too late. */
type Pause = { do: 'pause'; ms: number };
const shortWaitMs = 150;
type Claim = { do: 'send' | 'ask'; item: ItemRow; text: OutgoingText };
/** Answers to STOP, START and HELP. */
const confirmations = new Set(['stop', 'start', 'help']);
/** Tries at a text's own carrier before a rule of the company sends it another way. */
const triesBeforeAnotherWay = 2;
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
    if (claim.do === 'pause') {
      await new Promise((resolve) => setTimeout(resolve, claim.ms));
      continue;
    }
    const goOn = claim.do === 'ask' ? await recover(ctx, claim) : await send(ctx, claim);
    if (!goOn) return;
  }
  await ctx.transaction((t) => enqueueHandOver(t, job.conversationId));
}

/** Claiming is the moment of sending: whoever opted out before it is not texted. */
async function claimNext(
  t: TxCtx,
  conversationId: number,
): Promise<Claim | Pause | 'nothing' | 'again'> {
  // The ledger's line before the conversation, as an incoming STOP takes them.
  const party = (await conversationById(t.tx, t.companyId, conversationId, null))?.party;
  if (party) await holdLedger(t.tx, t.companyId, party, 'to_send');
  const conversation = await conversationById(t.tx, t.companyId, conversationId, null, true);
  const item = await nextToHandOver(t.tx, t.companyId, conversationId);
  if (!item) return 'nothing';
  const number = (await numbersById(t.tx, t.companyId, [item.number_id])).get(item.number_id);
  if (!conversation || !number) {
    await settleText(t, item, { state: 'canceled', code: null, reason: null });
    return 'again';
  }
  const details = item.details as {
    content: string;
    media: KeptMedia[];
    automatic: string | null;
    segments?: number;
    sentFrom?: string;
  };
  const text: OutgoingText = {
    from: details.sentFrom ?? number.number,
    to: conversation.party,
    text: details.content,
    key: keyOf(item),
    media: details.media
      .filter((m) => m.fileId)
      .map((m) => ({
        url: t.settings.publicUrl + t.files.sign(t.companyId, m.fileId!, t.now, mediaSeconds),
        contentType: m.type,
        bytes: m.bytes,
      })),
  };
  if (item.delivery_state === 'sending') return { do: 'ask', item, text };
  // The one confirmation of a STOP is the only text that may follow it.
  const reason =
    details.automatic && confirmations.has(details.automatic)
      ? null
      : await whyNot(t, item.number_id, conversation.party);
  if (reason) {
    const refusal = refusalOfReason[reason];
    await settleText(t, item, {
      state: 'failed',
      code: reason === 'contact_opted_out' ? 'opted_out' : reason,
      reason: refusalText(refusal, { number: formatPhone(conversation.party) }),
    });
    return 'again';
  }
  // Registered rates: a text waits for its turn, and those behind it in this conversation with it.
  const turn = number.registered
    ? await takeTurn(t, {
        numberId: number.id,
        segments: details.segments || 1,
        turnAt: item.turn_at,
      })
    : null;
  if (turn) {
    await changeItem(t.tx, t.companyId, item.id, { turn_at: turn.at });
    if (turn.waitMs <= shortWaitMs) return { do: 'pause', ms: turn.waitMs };
    await enqueueHandOver(t, conversationId, turn.at);
    return 'nothing';
  }
  return {
    do: 'send',
    item: await changeItem(t.tx, t.companyId, item.id, {
      delivery_state: 'sending',
      tries: item.tries + 1,
    }),
    text,
  };
}

async function recover(ctx: Ctx, { item, text }: Claim): Promise<boolean> {
  const ask = async () => carrierOf(ctx, item).askByKey(text.key);
  const found = await ask().catch(() => 'away' as const);
  if (found === 'away')
    return tooLate(ctx, item)
      ? write(ctx, item, { state: 'unknown', reason: 'The carrier could not be asked.' })
      : wait(ctx, item, 'sending');
  if (found) return write(ctx, item, { state: 'accepted', providerId: found.providerId });
  // Never heard of it. Where the carrier promises one text a key, the same key may be sent again; elsewhere it stays in doubt.
  return carrierOf(ctx, item).guaranteesKey
    ? send(ctx, { do: 'send', item, text })
    : write(ctx, item, { state: 'unknown', reason: 'The worker stopped while sending.' });
}

async function send(ctx: Ctx, { item, text }: Claim): Promise<boolean> {
  const result = await hand(ctx, item, text);
  if (result.state !== 'refused' || result.permanent) return write(ctx, item, result);
  const around =
    result.code === 'carrier_away' && item.tries >= triesBeforeAnotherWay
      ? await anotherWay(ctx, item, text)
      : null;
  if (around) return send(ctx, around);
  // A carrier that refused our account answered: that is said, and not that nobody did.
  const last = result.code === 'account' ? result : { ...result, code: 'carrier_away' };
  return tooLate(ctx, item) ? write(ctx, item, last) : wait(ctx, item, 'queued');
}

/**
 * The carrier certainly has nothing of this text, and a rule of the company names another number for such times: from now
 * on it goes that way, and only that way, so that it can never go twice.
 */
async function anotherWay(ctx: Ctx, item: ItemRow, text: OutgoingText): Promise<Claim | null> {
  return ctx.transaction(async (t) => {
    await holdLedger(t.tx, t.companyId, text.to, 'to_send');
    const row = await itemById(t.tx, t.companyId, item.id, true);
    const way =
      row?.delivery_state === 'sending' && row.carrier === item.carrier
        ? await wayAround(t, item.number_id)
        : null;
    if (!row || !way || way.carrier === item.carrier || (await whyNot(t, way.id, text.to)))
      return null;
    const changed = await changeItem(t.tx, t.companyId, item.id, {
      carrier: way.carrier,
      details: JSON.stringify({ ...(row.details as object), sentFrom: way.number }),
    });
    return { do: 'send', item: changed, text: { ...text, from: way.number } };
  });
}

/** The carrier the text was queued for. */
const carrierOf = (ctx: Ctx, item: ItemRow) =>
  ctx.ports.carriers.messaging(item.carrier ?? ctx.ports.messaging.name);

async function hand(ctx: Ctx, item: ItemRow, text: OutgoingText): Promise<SendResult> {
  try {
    return await carrierOf(ctx, item).send(text);
  } catch (error) {
    // A carrier that is not connected was never asked; any other trouble may have happened after it took the text.
    return error instanceof CarrierNotConnected
      ? { state: 'refused', code: 'carrier_away', reason: error.message, permanent: false }
      : { state: 'unknown', reason: String(error) };
  }
}

async function write(ctx: Ctx, item: ItemRow, result: SendResult): Promise<boolean> {
  await ctx.transaction(async (t) => {
    if (result.state === 'accepted')
      return settleText(t, item, {
        state: 'sent',
        code: null,
        reason: null,
        providerId: result.providerId,
      });
    if (result.state === 'refused')
      return settleText(t, item, {
        state: 'failed',
        code: result.code,
        reason: result.reason,
        byCarrier: true,
      });
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
    if (row?.delivery_state === 'sending')
      await changeItem(t.tx, t.companyId, item.id, { delivery_state: state, tries: item.tries });
    await enqueueHandOver(
      t,
      item.conversation_id,
      new Date(t.now.getTime() + waitSeconds(item.tries) * 1000),
    );
  });
  return false;
}
const tooLate = (ctx: Ctx, item: ItemRow) =>
  ctx.now.getTime() - (item.queued_at ?? item.created_at).getTime() > givesUpAfterMs;
