import { Skeleton } from '@mantine/core';
import type { SeriesPoint } from '#contract/analytics/schemas';
import { formatNumber, t } from '#ui';
import { Sparkline } from './Sparkline.tsx';
import css from './CallMetrics.module.css';
import { formatPoint, mainMetrics, type Metric, type SeriesKey } from './call-metrics.ts';

/** One bar per day or hour; nothing for a single point. `series` is undefined while loading. */
export function MetricBars({
  metric,
  series,
}: {
  metric: Metric & { key: SeriesKey };
  series: readonly SeriesPoint[] | undefined;
}) {
  if (!series) return <Skeleton height={28} mt={8} />;
  if (series.length < 2) return null;
  const format = metric.format ?? formatNumber;
  const points = series.map((point) => {
    const value = point[metric.key];
    return { label: formatPoint(point.at), value, text: value === null ? '–' : format(value) };
  });
  const measured = points.filter(({ value }) => value !== null);
  const [low, high] = [Math.min, Math.max].map((pick) =>
    measured.find(({ value }) => value === pick(...measured.map((p) => p.value ?? 0))),
  );
  return (
    <div className={css.bars}>
      <Sparkline
        points={points}
        summary={
          low && high && points[0]
            ? t(
                '{label} from {first} to {last}: lowest {low} ({lowAt}), highest {high} ({highAt})',
                {
                  label: metric.label,
                  first: points[0].label,
                  last: points.at(-1)!.label,
                  low: low.text,
                  lowAt: low.label,
                  high: high.text,
                  highAt: high.label,
                },
              )
            : metric.label
        }
      />
    </div>
  );
}

/** The values of the bars as a table. */
export function SeriesTable({ series }: { series: readonly SeriesPoint[] }) {
  const shown = mainMetrics();
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Figures by day')}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{series[0]?.at.length === 10 ? t('Day') : t('Hour')}</th>
            {shown.map(({ key, label }) => (
              <th key={key} scope="col" data-numeric>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.toReversed().map((point) => (
            <tr key={point.at}>
              <th scope="row">{formatPoint(point.at)}</th>
              {shown.map(({ key, format }) => {
                const value = point[key];
                return (
                  <td key={key} data-numeric>
                    {value === null ? '–' : (format ?? formatNumber)(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
