import type { CallGroup, CallTarget } from '#contract/analytics/call-analytics/rules';
import type { CallReportRow } from '#contract/analytics/call-analytics/schemas';
import { t } from '#ui';
import { formatFigure } from './format-figure.ts';
import { targetName } from './options.ts';
import css from './reports.module.css';
import { rowLabel } from './row-label.ts';

const height = 120;
const step = 10;

/** One bar for each row of time, from zero. The table below has every value. */
export function TimeBars({
  group,
  target,
  rows,
}: {
  group: CallGroup;
  target: CallTarget;
  rows: readonly CallReportRow[];
}) {
  const highest = rows.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || highest === 0) return null;
  const name = (row: CallReportRow): string => rowLabel(group, row.key, row.label);
  const summary = t('{figure} from {start} to {end}, at most {most}', {
    figure: targetName(target),
    start: name(first),
    end: name(last),
    most: formatFigure(target, highest),
  });
  return (
    <figure className={css.chart}>
      <span className={css.most} aria-hidden>
        {formatFigure(target, highest)}
      </span>
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${rows.length * step} ${height}`}
        preserveAspectRatio="none"
      >
        {rows.map((row, n) => {
          // A zero keeps a hairline, to differ from a gap.
          const tall = Math.max(1, ((row.value ?? 0) / highest) * height);
          return (
            <rect
              key={row.key}
              x={n * step + step * 0.12}
              width={step * 0.76}
              y={height - tall}
              height={tall}
              data-empty={!row.value || undefined}
            >
              <title>{`${name(row)}: ${formatFigure(target, row.value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption aria-hidden>
        <span>{name(first)}</span>
        <span>{name(last)}</span>
      </figcaption>
    </figure>
  );
}
