import type { WhyNotText } from '#contract/compliance';
import { refusalOfReason } from '#contract/compliance';
import { formatPhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import { holdLedger, isBlocked, optedOutAmong, whyNotText } from '../compliance/index.ts';
import { conversationBetween, numbersById } from './store.ts';

/** Why this party may not be texted from this number now. Holds the ledger until the transaction ends, so that the answer is still true at its commit. */
export async function whyNot(
  ctx: TxCtx,
  numberId: number,
  party: string,
): Promise<WhyNotText | null> {
  await holdLedger(ctx.tx, ctx.companyId, party, 'to_send');
  const number = (await numbersById(ctx.tx, ctx.companyId, [numberId])).get(numberId);
  if (!number) return 'number_gone';
  // Another carrier (the sandbox above all) would take the text and say it was delivered.
  if (number.live && !ctx.ports.carriers.ofNumber(number)) return 'carrier_gone';
  const between = await conversationBetween(ctx.tx, ctx.companyId, numberId, party);
  return whyNotText({
    party,
    number,
    now: ctx.now,
    heardAt: between?.heard_at ?? null,
    optedOut: (await optedOutAmong(ctx.tx, ctx.companyId, [party])).has(party),
    blocked: await isBlocked(ctx.tx, ctx.companyId, numberId, party),
  });
}

/** Refuse with the reason's sentence when the party may not be texted. */
export async function mustBeTextable(ctx: TxCtx, numberId: number, party: string): Promise<void> {
  const reason = await whyNot(ctx, numberId, party);
  if (reason)
    refuse(refusalOfReason[reason], { number: party.startsWith('+') ? formatPhone(party) : party });
}
