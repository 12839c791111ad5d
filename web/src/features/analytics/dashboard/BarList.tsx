import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { formatNumber, Hidden, t } from '#ui';
import { rowLabel } from '../reports/row-label.ts';
import css from './dashboard.module.css';
import { differenceText } from './difference.ts';
import type { BoardRow } from './use-dashboard.ts';

const SHOWN = 6;

const isNone = (group: CallGroup, key: string): boolean =>
  key === '(none)' || (group === 'sentiment' && key === 'unknown');

/** The rows with the most calls as bars, each with its share and what it was before. */
export function BarList({
  group,
  rows,
  previous,
  callsOf,
}: {
  group: CallGroup;
  rows: readonly BoardRow[];
  /** null: nothing to compare with. */
  previous: readonly BoardRow[] | null;
  /** The address of a row's calls; null: no list shows just those. */
  callsOf: (key: string) => string | null;
}) {
  // What has no such fact is no competitor of the others: last, and without a bar.
  const counted = rows.filter(({ values }) => (values['calls'] ?? 0) > 0);
  const others = counted.filter(({ key }) => !isNone(group, key)).slice(0, SHOWN);
  const shown = [...others, ...counted.filter(({ key }) => isNone(group, key))];
  if (shown.length === 0) return <p className={css.quiet}>{t('No calls in this period')}</p>;
  const most = Math.max(1, ...others.map(({ values }) => values['calls'] ?? 0));
  const before = previous && new Map(previous.map((row) => [row.key, row.values['calls'] ?? 0]));
  return (
    <ol className={css.list}>
      {shown.map(({ key, label, values }) => {
        const calls = values['calls'] ?? 0;
        const name = rowLabel(group, key, label);
        const href = callsOf(key);
        const difference = before && calls - (before.get(key) ?? 0);
        return (
          <li key={key}>
            {!isNone(group, key) && (
              <span className={css.bar} style={{ inlineSize: `${(calls / most) * 100}%` }} />
            )}
            <span className={css.name}>{href ? <a href={href}>{name}</a> : name}</span>
            <span className={css.number}>{formatNumber(calls)}</span>
            <span className={css.difference}>
              {difference === null ? '' : differenceText(difference)}
              {difference !== null && <Hidden>{t('compared with before')}</Hidden>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
