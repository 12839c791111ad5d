import type { TxCtx } from '../../../platform/context.ts';
import type { EventRow, TimelinePage } from './store.ts';

/** What tracking knows of numbers that are or were in its pools. */
interface Pools {
  nameOf(ctx: TxCtx, poolId: number): Promise<string | null>;
  /** Who saw the number and when, newest first; none for people who can't see tracking. */
  eventPage(ctx: TxCtx, numberId: number, page: TimelinePage): Promise<EventRow[]>;
  countEvents(ctx: TxCtx, numberId: number): Promise<number>;
}
let pools: Pools | null = null;

/** Tracking is loaded after numbers, which can't import it, so it says here what it knows of them. */
export function registerPools(provider: Pools): void {
  pools = provider;
}

/** The tracking pool that a number is in. Null: none, or one that was deleted. */
export async function poolOfNumber(
  ctx: TxCtx,
  poolId: number | null,
): Promise<{ id: number; name: string } | null> {
  const name = poolId === null ? null : ((await pools?.nameOf(ctx, poolId)) ?? null);
  return poolId === null || name === null ? null : { id: poolId, name };
}

/** What visitors of websites saw of a number; see `Pools`. */
export const poolEventPage = async (ctx: TxCtx, numberId: number, page: TimelinePage) =>
  (await pools?.eventPage(ctx, numberId, page)) ?? [];
/** How many of these entries there are. */
export const countPoolEvents = async (ctx: TxCtx, numberId: number) =>
  (await pools?.countEvents(ctx, numberId)) ?? 0;
