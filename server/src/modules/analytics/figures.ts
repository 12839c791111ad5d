import type { TxCtx } from '../../platform/context.ts';
import { callsOfHours } from '../calls/index.ts';
import { textsOfHours } from '../conversations/index.ts';
import { counted, sumsOfHours, type Format, type Period, type Sums } from './store-figures.ts';

/** The sums of nothing. */
const zero = Object.fromEntries(counted.map((name) => [name, 0])) as Sums;
const add = (a: Sums, b: Partial<Sums>): Sums =>
  Object.fromEntries(counted.map((name) => [name, a[name] + (b[name] ?? 0)])) as Sums;

/**
 * Sums of incoming calls and texts of a period on these numbers (null: all), as a whole and by
 * points of the zone: whole hours from the counted ones, the others call by call and text by text.
 * Exact, however late a call or text came or changed.
 */
export async function figuresOf(
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  period: Period,
  how: { tz: string; format: Format | null; only: readonly number[] | null },
): Promise<{ all: Sums; series: Map<string, Sums> }> {
  const series = await sumsOfHours(ctx.tx, ctx.companyId, period, how);
  const parts = [
    ...(await callsOfHours(ctx.tx, ctx.companyId, period.split, period, how)),
    ...(await textsOfHours(ctx.tx, ctx.companyId, period.split, period, how)),
  ];
  for (const { at, ...sums } of parts) series.set(at, add(series.get(at) ?? zero, sums));
  return { all: [...series.values()].reduce(add, zero), series };
}
