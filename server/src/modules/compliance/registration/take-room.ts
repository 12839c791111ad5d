import type { TxCtx } from '../../../platform/context.ts';
import { holdRates, keepRecent } from './store-send-rate.ts';
import { bucketsOf } from './take-turn.ts';
import { dueNow, evenMs, take, windowMs } from './throttle.ts';

/** How many segments may go from a number right now; `take` counts those that do. `waitMs`: when there is room again. `due`: how many of them keep an even pace. */
export interface Room {
  segments: number;
  due: number;
  waitMs: number;
  /** Nothing was sent lately: one text longer than the rate may go all the same, and counts for the seconds to come. */ idle: boolean;
  take(segments: number): Promise<void>;
}

/**
 * Room for many texts at once, held until the transaction ends. Whoever sends to many stands behind everybody who was promised a
 * turn: an answer in the inbox never waits for a campaign. `unregistered`: the rate of numbers without a registration.
 */
export async function takeRoom(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unregistered: number,
): Promise<Room> {
  const buckets = (await bucketsOf(ctx, numberId)) ?? [
    { key: `number:${numberId}`, limit: unregistered },
  ];
  const { rates, nowMs } = await holdRates(
    ctx.tx,
    ctx.companyId,
    buckets.map((b) => b.key),
  );
  const held = buckets.map((b) => {
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
  const promised = Math.max(0, ...held.map((b) => (b.rate.promisedMs ?? 0) - nowMs));
  const tightest = held.reduce((a, b) => (b.left < a.left ? b : a));
  // The number itself goes evenly; what it shares with others leaves room for several that go at once.
  const due = Math.min(...held.map((b, i) => dueNow(b.kept, b.limit, nowMs, i === 0 ? 1 : 1.5)));
  // Another has just had its turn: they take turns, each with a lot that is worth the trip.
  const early = due > 0 ? 0 : evenMs / 2;
  const segments = promised > 0 || early > 0 ? 0 : tightest.left;
  const waitMs =
    segments > 0
      ? 0
      : Math.max(
          1,
          Math.ceil(promised),
          early,
          tightest.left === 0 && tightest.first !== null
            ? Math.ceil(tightest.first + windowMs - nowMs)
            : 1,
        );
  return {
    segments,
    due: Math.max(1, due),
    waitMs,
    idle: promised <= 0 && held.every((b) => b.first === null),
    take: async (n) => {
      if (n > 0)
        await keepRecent(
          ctx.tx,
          ctx.companyId,
          held.map((b) => ({ key: b.key, recent: take(b.rate.recent, b.limit, n, nowMs).recent })),
        );
    },
  };
}
