import type { TxCtx } from '../../../platform/context.ts';
import { lockRates, saveRecent } from './store-send-rate.ts';
import { bucketsOf } from './rate-limit.ts';
import { pacedAllowance, pacingIntervalMs, tryConsume, windowMs } from './sliding-window.ts';

/** How many segments may go from a number right now; `take` counts those that do. `waitMs`: when there is room again. `due`: how many of them keep an even pace. */
export interface Capacity {
  segments: number;
  pacedSegments: number;
  waitMs: number;
  /** Nothing was sent lately: one text longer than the rate may go all the same, and counts for the seconds to come. */ idle: boolean;
  consume(segments: number): Promise<void>;
}

/**
 * Room for many texts at once, held until the transaction ends. Whoever sends to many stands behind everybody who was promised a
 * turn: an answer in the inbox never waits for a campaign. `unregistered`: the rate of numbers without a registration.
 */
export async function reserveCapacity(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unregisteredLimit: number,
): Promise<Capacity> {
  const buckets = (await bucketsOf(ctx, numberId)) ?? [
    { key: `number:${numberId}`, limit: unregisteredLimit },
  ];
  const { rates, nowMs } = await lockRates(
    ctx.tx,
    ctx.companyId,
    buckets.map((b) => b.key),
  );
  const usage = buckets.map((b) => {
    const rate = rates.get(b.key)!;
    const kept = rate.recent.filter(([at]) => at > nowMs - windowMs);
    return {
      ...b,
      rate,
      kept,
      left: Math.max(0, Math.floor(b.limit - kept.reduce((sum, [, n]) => sum + n, 0))),
      first: kept[0]?.[0] ?? null,
    };
  });
  const reservedForMs = Math.max(0, ...usage.map((b) => (b.rate.reservedUntilMs ?? 0) - nowMs));
  const tightest = usage.reduce((a, b) => (b.left < a.left ? b : a));
  // The number itself goes evenly; what it shares with others leaves room for several that go at once.
  const pacedSegments = Math.min(
    ...usage.map((b, i) => pacedAllowance(b.kept, b.limit, nowMs, i === 0 ? 1 : 1.5)),
  );
  // Another has just had its turn: they take turns, each with a lot that is worth the trip.
  const pacingWaitMs = pacedSegments > 0 ? 0 : pacingIntervalMs / 2;
  const segments = reservedForMs > 0 || pacingWaitMs > 0 ? 0 : tightest.left;
  const waitMs =
    segments > 0
      ? 0
      : Math.max(
          1,
          Math.ceil(reservedForMs),
          pacingWaitMs,
          tightest.left === 0 && tightest.first !== null
            ? Math.ceil(tightest.first + windowMs - nowMs)
            : 1,
        );
  return {
    segments,
    pacedSegments: Math.max(1, pacedSegments),
    waitMs,
    idle: reservedForMs <= 0 && usage.every((b) => b.first === null),
    consume: async (n) => {
      if (n > 0)
        await saveRecent(
          ctx.tx,
          ctx.companyId,
          usage.map((b) => ({
            key: b.key,
            recent: tryConsume(b.rate.recent, b.limit, n, nowMs).recent,
          })),
        );
    },
  };
}
