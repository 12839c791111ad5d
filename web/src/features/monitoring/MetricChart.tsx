import { useId } from 'react';
import { t, Time } from '#ui';
import { metricText, type Alert } from './labels.ts';
import css from './MetricChart.module.css';

const [width, height, top] = [400, 96, 6];

/**
 * What an alert measured since it was raised, with its limit as a dashed line. A value holds until
 * the next one.
 */
export function MetricChart({
  alert,
  samples,
}: {
  alert: Alert;
  samples: readonly { at: string; value: number }[];
}) {
  const title = useId();
  const { metric, last_seen_at, resolved_at } = alert;
  const [first] = samples;
  if (!first || !metric.unit) return null;
  const from = Date.parse(first.at);
  const to = Math.max(Date.parse(resolved_at ?? last_seen_at), from + 60_000);
  const highest = Math.max(metric.threshold, ...samples.map(({ value }) => value), 1) * 1.1;
  const x = (at: string): number => ((Date.parse(at) - from) / (to - from)) * width;
  const y = (value: number): number => top + (1 - value / highest) * (height - top);
  const steps = samples.map(
    ({ at, value }, n) => `${n === 0 ? `M0 ${y(value)}` : `H${x(at)} V${y(value)}`}`,
  );
  const line = `${steps.join(' ')} H${width}`;
  const text = (value: number): string => metricText({ ...metric, value, window: '' });
  const values = samples.map(({ value }) => value);
  const summary = t('{name}: lowest {low}, highest {high}, limit {limit}', {
    name: alert.title,
    low: text(Math.min(...values)),
    high: text(Math.max(...values)),
    limit: text(metric.threshold),
  });
  return (
    <figure className={css.figure}>
      <svg
        role="img"
        aria-labelledby={title}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className={css.chart}
      >
        <title id={title}>{summary}</title>
        <path className={css.area} d={`${line} V${height} H0 Z`} />
        <path className={css.line} d={line} />
        <line
          className={css.limit}
          x1={0}
          x2={width}
          y1={y(metric.threshold)}
          y2={y(metric.threshold)}
        />
      </svg>
      <figcaption className={css.caption}>
        <Time at={first.at} as="moment" />
        <span className={css.key}>{t('Limit {limit}', { limit: text(metric.threshold) })}</span>
        <Time at={resolved_at ?? last_seen_at} as="moment" />
      </figcaption>
    </figure>
  );
}
