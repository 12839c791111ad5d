import type {
  RegistrationKind,
  UseCase,
  VolumeBand,
} from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { sendRatesOf } from './rules.ts';
import { numberRegistration } from './store.ts';
import { lockRates, saveReservation, saveRecent } from './store-send-rate.ts';
import { reserveSlot, tryConsume } from './sliding-window.ts';

/** When to ask again: at this moment, so many milliseconds from now. */
export interface Wait {
  at: Date;
  waitMs: number;
}
/** A text that waited for a turn is let through as soon as the buckets have room; others stand behind those who wait. */
export interface SendRequest {
  numberId: number;
  segments: number;
  /** The turn it was promised earlier. */ slotAt: Date | null;
}

/**
 * May this text go now? Null: yes, and it is counted. A time: its turn, when to ask again. Numbers without an approved
 * registration have no registered rate and always go.
 */
export async function acquireSendSlot(ctx: TxCtx, request: SendRequest): Promise<Wait | null> {
  const buckets = await bucketsOf(ctx, request.numberId);
  return buckets && acquireFromBuckets(ctx, buckets, request);
}

type Bucket = { key: string; limit: number };
/** The buckets of a registered number: its own, its campaign's, its brand's. Null: it has no approved registration. */
export async function bucketsOf(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
): Promise<Bucket[] | null> {
  const registration = await numberRegistration(ctx.tx, ctx.companyId, numberId);
  if (!registration || registration.review !== 'approved' || registration.state !== 'approved')
    return null;
  const rates = sendRatesOf({
    kind: registration.kind as RegistrationKind,
    score: registration.score,
    volume: registration.volume as VolumeBand | null,
    useCase: registration.use_case as UseCase | null,
  });
  return [
    { key: `number:${numberId}`, limit: rates.number },
    { key: `campaign:${registration.campaign_id}:${registration.kind}`, limit: rates.campaign },
    { key: `brand:${registration.brand_id}:${registration.kind}`, limit: rates.brand },
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

export async function acquireFromBuckets(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  buckets: readonly { key: string; limit: number }[],
  request: Pick<SendRequest, 'segments' | 'slotAt'>,
): Promise<Wait | null> {
  const n = Math.max(1, request.segments);
  const { rates, nowMs } = await lockRates(
    ctx.tx,
    ctx.companyId,
    buckets.map((b) => b.key),
  );
  const waitUntil = (ms: number): Wait => ({
    at: new Date(Math.ceil(ms)),
    waitMs: Math.max(0, Math.ceil(ms - nowMs)),
  });
  // Woken early (a newer text of the conversation came): its turn stands.
  if (request.slotAt !== null && request.slotAt.getTime() > nowMs + 50)
    return waitUntil(request.slotAt.getTime());
  const attempts = buckets.map((b) => {
    const rate = rates.get(b.key)!;
    return { ...b, rate, ...tryConsume(rate.recent, b.limit, n, nowMs) };
  });
  const hasSlot = request.slotAt !== null;
  // Somebody who has just come stands behind those who were promised a turn.
  const reservedBucket = hasSlot
    ? undefined
    : attempts.find((b) => b.rate.reservedUntilMs !== null && b.rate.reservedUntilMs > nowMs);
  const tightest = attempts.reduce((a, b) => (b.waitMs > a.waitMs ? b : a));
  if (tightest.waitMs === 0 && !reservedBucket) {
    await saveRecent(ctx.tx, ctx.companyId, attempts);
    return null;
  }
  // It was promised a turn and came a little early, or others came late: a moment more, without losing its place.
  if (hasSlot) return waitUntil(nowMs + tightest.waitMs);
  const binding =
    reservedBucket && reservedBucket.rate.reservedUntilMs! > nowMs + tightest.waitMs
      ? reservedBucket
      : tightest;
  const reserved = reserveSlot(
    binding.rate.reservedUntilMs,
    binding.limit,
    n,
    nowMs,
    tightest.waitMs,
  );
  await saveReservation(ctx.tx, ctx.companyId, binding.key, reserved.promisedMs);
  return waitUntil(reserved.slotMs);
}
