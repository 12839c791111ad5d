import type { RegistrationKind, UseCase, VolumeBand } from '#contract/registration-lists';
import type { TxCtx } from '../../../platform/context.ts';
import { ratesOf } from './rules.ts';
import { numberStanding } from './store.ts';
import { holdRates, keepPromise, keepRecent } from './store-send-rate.ts';
import { promise, take } from './throttle.ts';

/** When to ask again: at this moment, so many milliseconds from now. */
export interface Wait {
  at: Date;
  waitMs: number;
}
/** A text that waited for a turn is let through as soon as the buckets have room; others stand behind those who wait. */
export interface Turn {
  numberId: number;
  segments: number;
  /** The turn it was promised earlier. */ turnAt: Date | null;
}

/**
 * May this text go now? Null: yes, and it is counted. A time: its turn, when to ask again. Numbers without an approved
 * registration have no registered rate and always go.
 */
export async function takeTurn(ctx: TxCtx, turn: Turn): Promise<Wait | null> {
  const buckets = await bucketsOf(ctx, turn.numberId);
  return buckets && takeFrom(ctx, buckets, turn);
}

type Bucket = { key: string; limit: number };
/** The buckets of a registered number: its own, its campaign's, its brand's. Null: it has no approved registration. */
export async function bucketsOf(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
): Promise<Bucket[] | null> {
  const at = await numberStanding(ctx.tx, ctx.companyId, numberId);
  if (!at || at.review !== 'approved' || at.state !== 'approved') return null;
  const rates = ratesOf({
    kind: at.kind as RegistrationKind,
    score: at.score,
    volume: at.volume as VolumeBand | null,
    useCase: at.use_case as UseCase | null,
  });
  return [
    { key: `number:${numberId}`, limit: rates.number },
    { key: `campaign:${at.campaign_id}:${at.kind}`, limit: rates.campaign },
    { key: `brand:${at.brand_id}:${at.kind}`, limit: rates.brand },
  ];
}
/** Segments a second that this number may send by its registration; null without one. */
export async function registeredRate(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
): Promise<number | null> {
  const buckets = await bucketsOf(ctx, numberId);
  return buckets && Math.min(...buckets.map((b) => b.limit));
}

export async function takeFrom(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  buckets: readonly { key: string; limit: number }[],
  turn: Pick<Turn, 'segments' | 'turnAt'>,
): Promise<Wait | null> {
  const n = Math.max(1, turn.segments);
  const { rates, nowMs } = await holdRates(
    ctx.tx,
    ctx.companyId,
    buckets.map((b) => b.key),
  );
  const later = (ms: number): Wait => ({
    at: new Date(Math.ceil(ms)),
    waitMs: Math.max(0, Math.ceil(ms - nowMs)),
  });
  // Woken early (a newer text of the conversation came): its turn stands.
  if (turn.turnAt !== null && turn.turnAt.getTime() > nowMs + 50)
    return later(turn.turnAt.getTime());
  const tried = buckets.map((b) => {
    const rate = rates.get(b.key)!;
    return { ...b, rate, ...take(rate.recent, b.limit, n, nowMs) };
  });
  const called = turn.turnAt !== null;
  // Somebody who has just come stands behind those who were promised a turn.
  const behind = called
    ? undefined
    : tried.find((b) => b.rate.promisedMs !== null && b.rate.promisedMs > nowMs);
  const tightest = tried.reduce((a, b) => (b.waitMs > a.waitMs ? b : a));
  if (tightest.waitMs === 0 && !behind) {
    await keepRecent(ctx.tx, ctx.companyId, tried);
    return null;
  }
  // It was promised a turn and came a little early, or others came late: a moment more, without losing its place.
  if (called) return later(nowMs + tightest.waitMs);
  const binding = behind && behind.rate.promisedMs! > nowMs + tightest.waitMs ? behind : tightest;
  const given = promise(binding.rate.promisedMs, binding.limit, n, nowMs, tightest.waitMs);
  await keepPromise(ctx.tx, ctx.companyId, binding.key, given.promisedMs);
  return later(given.turnMs);
}
