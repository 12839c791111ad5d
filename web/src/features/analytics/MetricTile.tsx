import { Skeleton } from '@mantine/core';
import type { analytics, Answer } from '#contract';
import { formatNumber, t } from '#ui';
import { Change } from './Change.tsx';
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
      {...(metric.betterWhen && { betterWhen: metric.betterWhen })}
      {...figures.change[metric.key]}
      before={figures.previous[metric.key]}
      isRate={metric.key === 'answer_rate'}
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
