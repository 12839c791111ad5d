import type { Board } from './use-dashboard.ts';

/** A row whose figure differs from the other period's: more (positive) or fewer. */
export interface Mover {
  key: string;
  label: string;
  by: number;
}

/**
 * The row of a board whose figure changed most in a direction: `more` or `fewer`. Rows that only one
 * of the periods has count as 0 in the other. null: none changed that way.
 */
export function largestMover(
  { data, previous }: Pick<Board, 'data' | 'previous'>,
  figure: string,
  direction: 'more' | 'fewer',
): Mover | null {
  const before = new Map((previous?.data ?? []).map((row) => [row.key, row]));
  const keys = new Map([...before, ...data.map((row) => [row.key, row] as const)]);
  const now = new Map(data.map((row) => [row.key, row]));
  const sign = direction === 'more' ? 1 : -1;
  return [...keys.values()]
    .map(({ key, label }) => ({
      key,
      label,
      by: (now.get(key)?.values[figure] ?? 0) - (before.get(key)?.values[figure] ?? 0),
    }))
    .filter(({ by }) => by * sign > 0)
    .reduce<Mover | null>(
      (most, one) => (most && most.by * sign >= one.by * sign ? most : one),
      null,
    );
}
