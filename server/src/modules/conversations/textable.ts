import type { TextBlockReason } from '#contract/compliance/rules';
import { errorCodeOfReason } from '#contract/compliance/rules';
import { hasLink } from '#contract/campaigns/rules';
import { features, isFeatureOn, type FeatureName } from '#contract/numbers/features/rules';
import { partyName } from '#contract/party';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { companyRow } from '../companies/index.ts';
import { requireRoom, roomProblem } from '../billing/index.ts';
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
  if (await roomProblem(ctx, 'text_credits', 1)) return 'plan_limit';
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

/** Throws `feature.off` for a picture or a link that the company's texts can't have. */
export async function requireFeaturesOfText(
  t: TxCtx,
  text: { content: string; hasMedia: boolean },
): Promise<void> {
  const settings = (await companyRow(t.tx, t.companyId))?.settings;
  const needed: FeatureName[] = [
    ...(text.hasMedia ? ['mms' as const] : []),
    ...(hasLink(text.content) ? ['links-in-messages' as const] : []),
  ];
  const off = needed.find((name) => !isFeatureOn(settings, name));
  if (off) fail('feature.off', { feature: features[off].label });
}

/** Throws the reason's error when the party may not be texted. */
export async function requireTextable(ctx: TxCtx, numberId: number, party: string): Promise<void> {
  const reason = await textBlockReasonFor(ctx, numberId, party);
  // The sentence that names the limit.
  if (reason === 'plan_limit') await requireRoom(ctx, 'text_credits', 1);
  if (reason) fail(errorCodeOfReason[reason], { number: partyName(party, party) });
}
