import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { sendRateLimits, type SendRateLimit } from '../../compliance/index.ts';
import { lockRates, saveRecent, type SendRate } from './store-send-rate.ts';
import { pacedAllowance, pacingIntervalMs, tryConsume, windowMs } from './sliding-window.ts';

/** How many segments a number may send now. */
export interface Capacity {
  segments: number;
  /** How many of them keep an even pace; at least 1. */
  pacedSegments: number;
  /** Milliseconds until there is capacity again; 0 when there is. */
  waitMs: number;
  /**
   * Nothing was sent lately: one text longer than the rate may go, and counts for the next seconds.
   */
  idle: boolean;
  /** Counts segments as sent. */
  consume(segments: number): Promise<void>;
}

/**
 * Of limits that several numbers share, one campaign takes at most this multiple of its even pace.
 */
const sharedSlack = 1.5;

/**
 * Capacity for many texts at once, locked until the transaction ends. A campaign waits behind
 * every text that has a reservation, so that an answer in the inbox never waits for a campaign.
 * `unregisteredLimit`: segments per second of a number without a registration.
 */
export async function reserveCapacity(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unregisteredLimit: number,
): Promise<Capacity> {
  const limits = (await sendRateLimits(ctx, numberId)) ?? [
    { key: `number:${numberId}`, limit: unregisteredLimit },
  ];
  const keys = limits.map((each) => each.key);
  const { rates, nowMs } = await lockRates(ctx.tx, ctx.companyId, keys);
  const rateOf = (key: string) =>
    mustBe(rates.get(key), 'rate, which lockRates returns for every key');
  const usage = limits.map((each) => usageOf(each, rateOf(each.key), nowMs));
  const reservedForMs = Math.max(0, ...usage.map((each) => each.reservedUntilMs - nowMs));
  const tightest = usage.reduce((a, b) => (b.available < a.available ? b : a));
  const pacedSegments = Math.min(
    ...usage.map((u, i) => pacedAllowance(u.inWindow, u.limit, nowMs, i === 0 ? 1 : sharedSlack)),
  );
  // Another sender just used the budget; wait half an interval so that batches stay large.
  const pacingWaitMs = pacedSegments > 0 ? 0 : pacingIntervalMs / 2;
  const segments = reservedForMs > 0 || pacingWaitMs > 0 ? 0 : tightest.available;
  const freesInMs =
    tightest.available === 0 && tightest.firstAt !== null
      ? Math.ceil(tightest.firstAt + windowMs - nowMs)
      : 1;
  return {
    segments,
    pacedSegments: Math.max(1, pacedSegments),
    waitMs: segments > 0 ? 0 : Math.max(1, Math.ceil(reservedForMs), pacingWaitMs, freesInMs),
    idle: reservedForMs <= 0 && usage.every((each) => each.firstAt === null),
    consume: async (sent) => {
      if (sent <= 0) return;
      const changed = usage.map(({ key, limit, recent }) => ({
        key,
        recent: tryConsume(recent, limit, sent, nowMs).recent,
      }));
      await saveRecent(ctx.tx, ctx.companyId, changed);
    },
  };
}

/**
 * What a rate's window still holds. `firstAt`: when the oldest of it was sent; null: nothing was.
 */
function usageOf({ key, limit }: SendRateLimit, rate: SendRate, nowMs: number) {
  const inWindow = rate.recent.filter(([at]) => at > nowMs - windowMs);
  const used = inWindow.reduce((sum, [, n]) => sum + n, 0);
  return {
    key,
    limit,
    recent: rate.recent,
    inWindow,
    available: Math.max(0, Math.floor(limit - used)),
    firstAt: inWindow[0]?.[0] ?? null,
    reservedUntilMs: Math.max(rate.reservedUntilMs ?? 0, rate.automaticReservedUntilMs ?? 0),
  };
}
