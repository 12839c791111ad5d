import { Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { analytics, Answer } from '#contract';
import { formatNumber, Hidden, t } from '#ui';
import css from './CallMetrics.module.css';
import type { Metric } from './call-metrics.ts';

type CallFigures = Answer<typeof analytics.callKpi>['data'];

/** One metric: its value, its change and, when given, its bars. `figures` is undefined while loading. */
export function MetricTile({
  metric,
  href,
  figures,
  isComparable,
  children,
}: {
  metric: Metric;
  href: string | null;
  figures: CallFigures | undefined;
  isComparable: boolean;
  children?: React.ReactNode;
}) {
  return (
    <Tile metric={metric} href={href}>
      <strong data-numeric>
        {figures ? (
          (metric.format ?? formatNumber)(figures.current[metric.key])
        ) : (
          <Skeleton height={16} width={44} my={6} />
        )}
      </strong>
      <MetricChange metric={metric} figures={figures} isComparable={isComparable} />
      {children}
    </Tile>
  );
}

function MetricChange({
  metric,
  figures,
  isComparable,
}: {
  metric: Metric;
  figures: CallFigures | undefined;
  isComparable: boolean;
}) {
  if (!figures) return <Skeleton height={10} width={56} my={4} />;
  if (!isComparable) return <small className={css.change}>{t('No earlier data')}</small>;
  return (
    <Change
      metric={metric}
      abs={figures.change[metric.key].abs}
      pct={figures.change[metric.key].pct}
      before={figures.previous[metric.key]}
    />
  );
}

function Tile({
  metric,
  href,
  children,
}: {
  metric: Metric;
  href: string | null;
  children: React.ReactNode;
}) {
  const content = (
    <>
      <span>{metric.label}</span>
      {children}
    </>
  );
  return (
    <li title={metric.description}>
      {href ? (
        <a className={css.figure} href={href}>
          {content}
        </a>
      ) : (
        <div className={css.figure}>{content}</div>
      )}
    </li>
  );
}

/**
 * The change: an arrow and a percentage (or the difference, when the earlier value is 0); color
 * repeats whether it is good.
 */
function Change({
  metric,
  abs,
  pct,
  before,
}: {
  metric: Metric;
  abs: number;
  pct: number | null;
  before: number;
}) {
  const was = t('{n} before', { n: (metric.format ?? formatNumber)(before) });
  if (abs === 0)
    return (
      <small className={css.change} title={was}>
        {t('No change')}
      </small>
    );
  // The average of an empty set means nothing.
  if (pct === null && metric.format)
    return <small className={css.change}>{t('No earlier data')}</small>;
  const tone =
    metric.betterWhen === undefined
      ? undefined
      : abs > 0 === (metric.betterWhen === 'more')
        ? 'good'
        : 'bad';
  const Arrow = abs > 0 ? IconArrowUpRight : IconArrowDownRight;
  const change =
    metric.key === 'answer_rate'
      ? t('{n} points', { n: signed(abs) })
      : pct === null
        ? signed(abs)
        : `${signed(pct)}%`;
  return (
    <small className={css.change} data-tone={tone} title={was}>
      <Arrow size={13} aria-hidden />
      {change}
      <Hidden>, {was}</Hidden>
    </small>
  );
}
const signed = (n: number): string =>
  n > 0 ? `+${formatNumber(n)}` : `−${formatNumber(Math.abs(n))}`;
