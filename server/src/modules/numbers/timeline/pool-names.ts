import type { TxCtx } from '../../../platform/context.ts';

type NameOfPool = (ctx: TxCtx, poolId: number) => Promise<string | null>;
let nameOf: NameOfPool | null = null;

/** Tracking is loaded after numbers, which can't import it, so it says here how its pools are named. */
export function registerPoolNames(provider: NameOfPool): void {
  nameOf = provider;
}

/** The tracking pool that a number is in. Null: none, or one that was deleted. */
export async function poolOfNumber(
  ctx: TxCtx,
  poolId: number | null,
): Promise<{ id: number; name: string } | null> {
  const name = poolId === null ? null : ((await nameOf?.(ctx, poolId)) ?? null);
  return poolId === null || name === null ? null : { id: poolId, name };
}
