import type { PeriodFigures } from './schemas.ts';

/**
 * Each figure's change against the previous period, absolute to one decimal and in percent. `pct`
 * is null when the previous figure is 0.
 */
export const changeOf = (
  current: PeriodFigures,
  previous: PeriodFigures,
): Record<keyof PeriodFigures, { abs: number; pct: number | null }> =>
  Object.fromEntries(
    (Object.keys(current) as (keyof PeriodFigures)[]).map((key) => {
      const abs = Math.round((current[key] - previous[key]) * 10) / 10;
      return [
        key,
        { abs, pct: previous[key] === 0 ? null : Math.round((1000 * abs) / previous[key]) / 10 },
      ];
    }),
  ) as Record<keyof PeriodFigures, { abs: number; pct: number | null }>;
