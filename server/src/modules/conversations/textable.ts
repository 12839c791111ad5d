import type { TextBlockReason } from '#contract/compliance/rules';
import { errorCodeOfReason } from '#contract/compliance/rules';
import { formatPhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { lockOptOut, isBlocked, optedOutNumbers, textBlockReason } from '../compliance/index.ts';
import { conversationByParty } from './store.ts';
import { numbersByIds } from './store-numbers.ts';

/**
 * Why this party may not be texted from this number now; null if it may. Locks the opt-out record
 * until the transaction ends, so that the answer still holds at its commit.
 */
export async function textBlockReasonFor(
  ctx: TxCtx,
  numberId: number,
  party: string,
): Promise<TextBlockReason | null> {
  await lockOptOut(ctx.tx, ctx.companyId, party, 'to_send');
  const number = (await numbersByIds(ctx.tx, ctx.companyId, [numberId])).get(numberId);
  if (!number) return 'number_gone';
  // Another carrier (the sandbox above all) would accept the text and report it as delivered.
  if (number.live && !ctx.gateways.carriers.forNumber(number)) return 'carrier_gone';
  const conversation = await conversationByParty(ctx.tx, ctx.companyId, numberId, party);
  return textBlockReason({
    party,
    number,
    now: ctx.now,
    lastInboundAt: conversation?.last_inbound_at ?? null,
    optedOut: (await optedOutNumbers(ctx.tx, ctx.companyId, [party])).has(party),
    blocked: await isBlocked(ctx.tx, ctx.companyId, numberId, party),
  });
}

/** Throws the reason's error when the party may not be texted. */
export async function requireTextable(ctx: TxCtx, numberId: number, party: string): Promise<void> {
  const reason = await textBlockReasonFor(ctx, numberId, party);
  if (reason)
    fail(errorCodeOfReason[reason], { number: party.startsWith('+') ? formatPhone(party) : party });
}
