import { carriers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { readNumber } from '../read-number.ts';
import {
  failoverCandidates,
  setFailoverRule,
  type CallFailoverMode,
  type FailoverCandidate,
} from './store.ts';

type CarrierRef = { provider_id: number; provider_ref: string | null };
const carrierOf = (ctx: TxCtx, n: CarrierRef) =>
  ctx.gateways.carriers.forNumber({ providerId: n.provider_id, providerRef: n.provider_ref });
const canText = (ctx: TxCtx, candidate: FailoverCandidate) =>
  candidate.sms_enabled && carrierOf(ctx, candidate)?.messaging !== undefined;
const canCall = (ctx: TxCtx, candidate: FailoverCandidate) =>
  carrierOf(ctx, candidate)?.voice !== undefined;

/** Shown for a carrier that CARRIER doesn't name (any more). */
const notConnectedLabel = 'Not connected';

/** The failover rule of a number and the numbers it may use. Fails with 404. */
export async function getFailover(
  ctx: TxCtx,
  numberId: number,
): Promise<Answer<typeof contract.getFailover>> {
  const number = (await readNumber(ctx.tx, ctx.companyId, numberId)) ?? notFound();
  const own = carrierOf(ctx, number);
  const candidates = (
    await failoverCandidates(ctx.tx, ctx.companyId, numberId, ctx.numbers)
  ).filter(
    (candidate) =>
      carrierOf(ctx, candidate) !== own && (canText(ctx, candidate) || canCall(ctx, candidate)),
  );
  const presentCandidate = (candidate: FailoverCandidate) => ({
    id: candidate.id,
    number: candidate.number,
    label: candidate.label,
    carrier: carrierOf(ctx, candidate)?.label ?? '',
    can_text: canText(ctx, candidate),
    can_call: canCall(ctx, candidate),
  });
  const failover = candidates.find((candidate) => candidate.via);
  const others = ctx.gateways.carriers.all
    .filter((carrier) => carrier !== own)
    .map((carrier) => carrier.label);
  return {
    data: {
      carrier: own?.label ?? notConnectedLabel,
      other_carriers: others,
      via: failover ? presentCandidate(failover) : null,
      texts: failover?.texts ?? false,
      calls: failover?.calls ?? 'never',
      choices: candidates.map(presentCandidate),
    },
  };
}

/**
 * Sets the failover number, which must be at another carrier and support the traffic; null removes
 * it. Fails with 404, or 422 per field.
 */
export async function setFailover(
  ctx: TxCtx,
  numberId: number,
  body: Body<typeof contract.setFailover>,
): Promise<Answer<typeof contract.setFailover>> {
  const { data } = await getFailover(ctx, numberId);
  const chosen = data.choices.find((choice) => choice.id === body.via_number_id);
  if (body.via_number_id !== null && !chosen)
    invalid({ via_number_id: 'Choose an active number at another carrier.' });
  const texts = body.texts ?? (data.via ? data.texts : (chosen?.can_text ?? false));
  const calls = body.calls ?? data.calls;
  if (chosen && texts && !chosen.can_text) invalid({ texts: 'This number can’t text.' });
  if (chosen && calls !== 'never' && !chosen.can_call)
    invalid({ calls: `${chosen.carrier} doesn’t carry calls here.` });
  if (chosen && !texts && calls === 'never')
    invalid({ via_number_id: 'Choose what uses this number: texts, calls or both.' });
  await setFailoverRule(
    ctx.tx,
    ctx.companyId,
    numberId,
    chosen ? { via: chosen.id, texts, calls } : null,
    ctx.now,
  );
  const rule = (via: number | null, t: boolean, c: CallFailoverMode) => ({
    via,
    ...(via === null ? {} : { texts: t, calls: c }),
  });
  await audit(ctx, 'number.failover', `number:${numberId}`, {
    before: rule(data.via?.id ?? null, data.texts, data.calls),
    after: rule(chosen?.id ?? null, texts, calls),
  });
  await ctx.publish(
    contract.failoverChanged,
    { companyId: ctx.companyId, numberId, viaNumberId: chosen?.id ?? null },
    { numberId },
  );
  return getFailover(ctx, numberId);
}

/**
 * The failover number for a text or call of this number now. Null: no rule covers that traffic, or
 * both numbers are at the same carrier.
 */
export async function failoverNumber(
  ctx: TxCtx,
  numberId: number,
  traffic: 'texts' | 'calls' = 'texts',
): Promise<{ id: number; number: string; carrier: string; calls: CallFailoverMode } | null> {
  const number = await readNumber(ctx.tx, ctx.companyId, numberId);
  const candidate = (await failoverCandidates(ctx.tx, ctx.companyId, numberId, null)).find(
    (one) => one.via,
  );
  if (!number || !candidate || carrierOf(ctx, candidate) === carrierOf(ctx, number)) return null;
  if (
    traffic === 'texts'
      ? !candidate.texts || !candidate.sms_enabled
      : (candidate.calls ?? 'never') === 'never'
  )
    return null;
  const carrier = (
    traffic === 'texts' ? carrierOf(ctx, candidate)?.messaging : carrierOf(ctx, candidate)?.voice
  )?.name;
  return carrier
    ? { id: candidate.id, number: candidate.number, carrier, calls: candidate.calls ?? 'never' }
    : null;
}
