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
  const { filters, set } = useFilters(defaultFilters);
  const { clock, zone, now, then, isComparable, figures, error, refetch } = useComparison(
    filters,
    since,
  );
  const year = now.end.slice(0, 4);
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
      ) : figures && isEmpty(figures) ? (
        <div className={css.none}>
          <EmptyState title={t('No calls in this period')}>
            {t('Figures appear with the first call or text.')}
          </EmptyState>
        </div>
      ) : (
        <Metrics figures={figures} isComparable={isComparable} period={filters.period} />
      )}
    </section>
  );
}

type Filters = typeof defaultFilters;

/** The figures of the chosen period and of the one it is compared with; undefined while loading. */
function useComparison(filters: Filters, since: string | undefined) {
  const companyId = useCompanyId();
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
  const isComparable = since === undefined || calendarDay(since, zone) <= then.start;
  return { clock, zone, now, then, isComparable, figures: response?.data, error, refetch };
}
type Figures = NonNullable<ReturnType<typeof useComparison>['figures']>;

const isEmpty = ({ current, previous }: Figures): boolean =>
  current.total + previous.total + current.messages + previous.messages === 0;

/** The metrics as tiles; each links to the list of what it counts, for users who may see it. */
function Metrics({
  figures,
  isComparable,
  period,
}: {
  figures: Figures | undefined;
  isComparable: boolean;
  period: string;
}) {
  const seesCalls = usePermission('calls.view');
  const seesTexts = usePermission('inbox.view');
  const listHref = (query: string | undefined): string | null =>
    query && (query.startsWith('messages') ? seesTexts : seesCalls)
      ? `/activity/${query}${query.includes('?') ? '&' : '?'}period=${period}`
      : null;
  const tile = (metric: Metric, bars?: React.ReactNode) => (
    <MetricTile
      key={metric.key}
      metric={metric}
      href={listHref(metric.listQuery)}
      figures={figures}
      isComparable={isComparable}
    >
      {bars}
    </MetricTile>
  );
  return (
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
  onChange: (filter: Partial<Filters>) => void;
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
