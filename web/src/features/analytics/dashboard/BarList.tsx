import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { formatNumber, Hidden, t } from '#ui';
import { barRows } from './bar-rows.ts';
import css from './dashboard.module.css';
import { differenceText } from './difference.ts';
import type { BoardRow } from './use-dashboard.ts';

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
  const shown = barRows(group, rows, previous);
  if (shown.length === 0) return <p className={css.quiet}>{t('No calls in this period')}</p>;
  return (
    <ol className={css.list}>
      {shown.map(({ key, name, calls, share, difference }) => {
        const href = callsOf(key);
        return (
          <li key={key}>
            {share !== null && (
              <span className={css.bar} style={{ inlineSize: `${share * 100}%` }} />
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
