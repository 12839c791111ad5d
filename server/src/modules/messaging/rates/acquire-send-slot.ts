import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { sendRateLimits, type SendRateLimit } from '../../compliance/index.ts';
import { lockRates, saveRecent, saveReservation, type SendRate } from './store-send-rate.ts';
import { reserveSlot, tryConsume } from './sliding-window.ts';

/** When to ask again: at this time, in so many milliseconds. */
export interface SendWait {
  at: Date;
  waitMs: number;
}
interface SendRequest {
  numberId: number;
  segments: number;
  /** The time reserved by an earlier request for this text; null: none yet. */
  slotAt: Date | null;
  /** No person wrote it: it waits behind the texts that people wrote. */
  automatic: boolean;
}

/**
 * Lets a text go, or reserves a time for it. Null: send it now, it is counted. Otherwise ask again
 * at that time, with it as `slotAt`. Numbers without an approved registration have no registered
 * rate and always send.
 */
export async function acquireSendSlot(ctx: TxCtx, request: SendRequest): Promise<SendWait | null> {
  const limits = await sendRateLimits(ctx, request.numberId);
  return limits && acquireFromRates(ctx, limits, request);
}

/** A wake-up may come this early and still count as on time. */
const earlyMs = 50;

/** Takes a slot under the given limits. Null: send now; else when to call again. */
export async function acquireFromRates(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  limits: readonly SendRateLimit[],
  request: Omit<SendRequest, 'numberId'>,
): Promise<SendWait | null> {
  const segments = Math.max(1, request.segments);
  const keys = limits.map((each) => each.key);
  const { rates, nowMs } = await lockRates(ctx.tx, ctx.companyId, keys);
  const waitUntil = (ms: number): SendWait => ({
    at: new Date(Math.ceil(ms)),
    waitMs: Math.max(0, Math.ceil(ms - nowMs)),
  });
  // Called before the reserved time (a newer text of the conversation came): keep the reservation.
  if (request.slotAt !== null && request.slotAt.getTime() > nowMs + earlyMs)
    return waitUntil(request.slotAt.getTime());
  const attempts = limits.map(({ key, limit }) => {
    const rate = mustBe(rates.get(key), 'rate, which lockRates returns for every key');
    const aheadUntilMs = reservedAheadOf(rate, request);
    return { key, limit, aheadUntilMs, ...tryConsume(rate.recent, limit, segments, nowMs) };
  });
  const tightest = attempts.reduce((a, b) => (b.waitMs > a.waitMs ? b : a));
  const ahead = attempts.reduce((a, b) => (b.aheadUntilMs > a.aheadUntilMs ? b : a));
  if (tightest.waitMs === 0 && ahead.aheadUntilMs <= nowMs) {
    await saveRecent(ctx.tx, ctx.companyId, attempts);
    return null;
  }
  // Its time came, but others were late or go first: wait a little more without losing its place.
  if (request.slotAt !== null)
    return waitUntil(Math.max(nowMs + tightest.waitMs, ahead.aheadUntilMs));
  const binding = ahead.aheadUntilMs > nowMs + tightest.waitMs ? ahead : tightest;
  const { slotMs, promisedMs } = reserveSlot(
    binding.aheadUntilMs || null,
    binding.limit,
    segments,
    nowMs,
    tightest.waitMs,
  );
  await saveReservation(ctx.tx, ctx.companyId, binding.key, promisedMs, request.automatic);
  return waitUntil(slotMs);
}

/**
 * Until when others have reserved this rate ahead of a text, in milliseconds since 1970; 0: no one
 * has. People's texts wait for people's only, automatic ones for both. Once a text has its own
 * reservation, only people's may still pass an automatic one.
 */
function reservedAheadOf(rate: SendRate, { slotAt, automatic }: Omit<SendRequest, 'numberId'>) {
  if (slotAt !== null) return automatic ? (rate.reservedUntilMs ?? 0) : 0;
  return Math.max(rate.reservedUntilMs ?? 0, automatic ? (rate.automaticReservedUntilMs ?? 0) : 0);
}
