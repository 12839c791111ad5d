import { Select } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { analytics } from '#contract';
import {
  calendarDay,
  EmptyState,
  ErrorState,
  formatTime,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  useNow,
  userZone,
} from '#ui';
import { comparisonRange, rangeOf, type Comparison, type Period } from './ranges.ts';
import css from './CallMetrics.module.css';
import { formatRange, mainMetrics, otherMetrics, type Metric } from './call-metrics.ts';
import { MetricBars, SeriesTable } from './MetricSeries.tsx';
import { MetricTile } from './MetricTile.tsx';

const defaultFilters = { period: 'week', against: 'before' };
/**
 * Calls and texts of a period: five metrics with daily bars, compared with a period of the same
 * length (A9.4), and the others under "More". Both choices are in the URL; events refresh the data.
 * @param since when the company was created, as an instant; earlier periods are no comparison
 */
export function CallMetrics({ since }: { since: string | undefined }) {
  const companyId = useCompanyId();
  const seesCalls = usePermission('calls.view'),
    seesTexts = usePermission('inbox.view');
  const { filters, set } = useFilters(defaultFilters);
  const zone = userZone();
  const clock = useNow(60_000);
  const now = rangeOf(filters.period as Period, calendarDay(clock, zone));
  const then = comparisonRange(now, filters.against as Comparison);
  const { response, error, refetch } = useApiQuery(
    analytics.callKpi,
    {
      params: { companyId: companyId ?? 0 },
      body: { currentRange: now, previousRange: then, tz: zone, sameTime: true },
    },
    { enabled: companyId !== null, staleTime: 15_000, silent: true },
  );
  const figures = response?.data;
  const year = now.end.slice(0, 4);
  const isComparable = since === undefined || calendarDay(since, zone) <= then.start;
  const isEmpty =
    figures &&
    figures.current.total +
      figures.previous.total +
      figures.current.messages +
      figures.previous.messages ===
      0;
  const open = (rows: string | undefined): string | null =>
    rows && (rows.startsWith('messages') ? seesTexts : seesCalls)
      ? `/activity/${rows}${rows.includes('?') ? '&' : '?'}period=${filters.period}`
      : null;
  const tile = (metric: Metric, points?: React.ReactNode) => (
    <MetricTile
      key={metric.key}
      metric={metric}
      href={open(metric.listQuery)}
      figures={figures}
      isComparable={isComparable}
    >
      {points}
    </MetricTile>
  );
  return (
    <section aria-labelledby="call-figures">
      <div className={css.head}>
        <h2 id="call-figures" className={css.title}>
          {t('Calls and texts')}{' '}
          <small>
            {isComparable
              ? t('{now}, compared with {then} until {time}', {
                  now: formatRange(now, year),
                  then: formatRange(then, year),
                  time: formatTime(clock, zone),
                })
              : formatRange(now, year)}
          </small>
        </h2>
        <PeriodChoices period={filters.period} against={filters.against} onChange={set} />
      </div>
      {error && !figures ? (
        <ErrorState error={error} retry={refetch} />
      ) : isEmpty ? (
        <div className={css.none}>
          <EmptyState title={t('No calls in this period')}>
            {t('Figures appear with the first call or text.')}
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className={css.figures} aria-busy={!figures || undefined}>
            {mainMetrics().map((metric) =>
              tile(metric, <MetricBars metric={metric} series={figures?.series} />),
            )}
          </ul>
          {figures && (
            <details className={css.more}>
              <summary>
                <IconChevronRight size={16} aria-hidden /> {t('More')}
              </summary>
              <ul className={css.others}>{otherMetrics().map((metric) => tile(metric))}</ul>
              <SeriesTable series={figures.series} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

/** Selects for the period and the comparison; both are kept in the URL. */
function PeriodChoices({
  period,
  against,
  onChange,
}: {
  period: string;
  against: string;
  onChange: (filter: Partial<typeof defaultFilters>) => void;
}) {
  return (
    <div className={css.choices}>
      <Select
        size="xs"
        w={130}
        aria-label={t('Period')}
        allowDeselect={false}
        value={period}
        onChange={(next) => onChange({ period: next ?? 'week' })}
        data={[
          { value: 'today', label: t('Today') },
          { value: 'week', label: t('Last 7 days') },
          { value: 'month', label: t('Last 30 days') },
          { value: 'quarter', label: t('Last 90 days') },
        ]}
      />
      <Select
        size="xs"
        w={176}
        aria-label={t('Compared with')}
        allowDeselect={false}
        value={against}
        onChange={(next) => onChange({ against: next ?? 'before' })}
        data={[
          { value: 'before', label: t('Previous period') },
          { value: '1', label: t('A month earlier') },
          { value: '3', label: t('Three months earlier') },
          { value: '6', label: t('Six months earlier') },
          { value: '12', label: t('A year earlier') },
        ]}
      />
    </div>
  );
}
