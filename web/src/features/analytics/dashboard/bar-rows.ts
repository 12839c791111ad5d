import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { rowLabel } from '../reports/row-label.ts';
import type { BoardRow } from './use-dashboard.ts';

const SHOWN = 6;

const isNone = (group: CallGroup, key: string): boolean =>
  key === '(none)' || (group === 'sentiment' && key === 'unknown');

/** A row as it is drawn. */
export interface BarRow {
  key: string;
  name: string;
  calls: number;
  /** Of the row with the most calls, from 0 to 1. null: no bar. */
  share: number | null;
  /** More calls than before; null: nothing to compare with. */
  difference: number | null;
}

/**
 * The rows with the most calls. What has no such fact is no competitor of the others: it is last, and
 * has no bar.
 */
export function barRows(
  group: CallGroup,
  rows: readonly BoardRow[],
  /** null: nothing to compare with. */
  previous: readonly BoardRow[] | null,
): BarRow[] {
  const counted = rows.filter(({ values }) => (values['calls'] ?? 0) > 0);
  const others = counted.filter(({ key }) => !isNone(group, key)).slice(0, SHOWN);
  const shown = [...others, ...counted.filter(({ key }) => isNone(group, key))];
  const most = Math.max(1, ...others.map(({ values }) => values['calls'] ?? 0));
  const before = previous && new Map(previous.map((row) => [row.key, row.values['calls'] ?? 0]));
  return shown.map(({ key, label, values }) => {
    const calls = values['calls'] ?? 0;
    return {
      ...{ key, calls, name: rowLabel(group, key, label) },
      share: isNone(group, key) ? null : calls / most,
      difference: before && calls - (before.get(key) ?? 0),
    };
  });
}
