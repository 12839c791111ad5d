import { carriers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, missing } from '../../../platform/refuse.ts';
import { readNumber } from '../read-number.ts';
import { otherWays, setWay, type CallsGo, type Way } from './store.ts';

type At = { provider_id: number; provider_ref: string | null };
const carrierOf = (ctx: TxCtx, n: At) =>
  ctx.ports.carriers.ofNumber({ providerId: n.provider_id, providerRef: n.provider_ref });
const canText = (ctx: TxCtx, way: Way) =>
  way.sms_enabled && carrierOf(ctx, way)?.messaging !== undefined;
const canCall = (ctx: TxCtx, way: Way) => carrierOf(ctx, way)?.voice !== undefined;

/** A carrier CARRIER does not name (any more). */
const notHere = 'Not connected';

export async function getFailover(
  ctx: TxCtx,
  numberId: number,
): Promise<Answer<typeof contract.getFailover>> {
  const number = (await readNumber(ctx.tx, ctx.companyId, numberId)) ?? missing();
  const own = carrierOf(ctx, number);
  const ways = (await otherWays(ctx.tx, ctx.companyId, numberId, ctx.numbers)).filter(
    (way) => carrierOf(ctx, way) !== own && (canText(ctx, way) || canCall(ctx, way)),
  );
  const brief = (way: Way) => ({
    id: way.id,
    number: way.number,
    label: way.label,
    carrier: carrierOf(ctx, way)?.label ?? '',
    can_text: canText(ctx, way),
    can_call: canCall(ctx, way),
  });
  const via = ways.find((way) => way.via);
  const others = ctx.ports.carriers.all
    .filter((carrier) => carrier !== own)
    .map((carrier) => carrier.label);
  return {
    data: {
      carrier: own?.label ?? notHere,
      other_carriers: others,
      via: via ? brief(via) : null,
      texts: via?.texts ?? false,
      calls: via?.calls ?? 'never',
      choices: ways.map(brief),
    },
  };
}

/** Only a number of another carrier is a way around this one, and only for what it can do. */
export async function setFailover(
  ctx: TxCtx,
  numberId: number,
  body: Body<typeof contract.setFailover>,
): Promise<Answer<typeof contract.setFailover>> {
  const { data } = await getFailover(ctx, numberId);
  const chosen = data.choices.find((choice) => choice.id === body.via_number_id);
  if (body.via_number_id !== null && !chosen)
    invalid({ via_number_id: 'Choose an active number of another carrier.' });
  const texts = body.texts ?? (data.via ? data.texts : (chosen?.can_text ?? false));
  const calls = body.calls ?? data.calls;
  if (chosen && texts && !chosen.can_text) invalid({ texts: 'This number cannot text.' });
  if (chosen && calls !== 'never' && !chosen.can_call)
    invalid({ calls: `${chosen.carrier} makes no calls here.` });
  if (chosen && !texts && calls === 'never')
    invalid({ via_number_id: 'Say what goes by this number: texts, calls, or both.' });
  await setWay(
    ctx.tx,
    ctx.companyId,
    numberId,
    chosen ? { via: chosen.id, texts, calls } : null,
    ctx.now,
  );
  const rule = (via: number | null, t: boolean, c: CallsGo) => ({
    via,
    ...(via === null ? {} : { texts: t, calls: c }),
  });
  await audit(ctx, 'number.failover', `number:${numberId}`, {
    before: rule(data.via?.id ?? null, data.texts, data.calls),
    after: rule(chosen?.id ?? null, texts, calls),
  });
  await ctx.say(
    contract.failoverChanged,
    { companyId: ctx.companyId, numberId, viaNumberId: chosen?.id ?? null },
    { numberId },
  );
  return getFailover(ctx, numberId);
}

/** By which number a text or call of this one may go instead, as of now; null when no rule says so or its carrier is the same. */
export async function wayAround(
  ctx: TxCtx,
  numberId: number,
  what: 'texts' | 'calls' = 'texts',
): Promise<{ id: number; number: string; carrier: string; calls: CallsGo } | null> {
  const number = await readNumber(ctx.tx, ctx.companyId, numberId);
  const via = (await otherWays(ctx.tx, ctx.companyId, numberId, null)).find((way) => way.via);
  if (!number || !via || carrierOf(ctx, via) === carrierOf(ctx, number)) return null;
  if (what === 'texts' ? !via.texts || !via.sms_enabled : (via.calls ?? 'never') === 'never')
    return null;
  const carrier = (what === 'texts' ? carrierOf(ctx, via)?.messaging : carrierOf(ctx, via)?.voice)
    ?.name;
  return carrier ? { id: via.id, number: via.number, carrier, calls: via.calls ?? 'never' } : null;
}
