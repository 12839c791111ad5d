import { Select, Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconChevronRight } from '@tabler/icons-react';
import { analytics } from '#contract';
import type { PeriodFigures, SeriesPoint } from '#contract/analytics/schemas';
import {
  calendarDay,
  EmptyState,
  ErrorState,
  formatDate,
  formatDay,
  formatDuration,
  formatNumber,
  formatTime,
  Hidden,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  useNow,
  userZone,
} from '#ui';
import {
  comparisonRange,
  rangeOf,
  type Comparison,
  type DateRange,
  type Period,
} from './ranges.ts';
import { Sparkline } from './Sparkline.tsx';
import css from './CallMetrics.module.css';

type MetricKey = keyof PeriodFigures;
type SeriesKey = Exclude<keyof SeriesPoint, 'at'>;
/** `betterWhen`: which direction is good (absent: neither). `listQuery` links to the counted items. */
interface Metric {
  key: MetricKey;
  label: string;
  description?: string;
  betterWhen?: 'more' | 'fewer';
  format?: (n: number) => string;
  listQuery?: string;
}
const percent = (n: number): string => `${formatNumber(n)}%`;
/** The five metrics with bars. */
const mainMetrics = (): readonly (Metric & { key: SeriesKey })[] => [
  {
    key: 'total',
    label: t('Incoming calls'),
    betterWhen: 'more',
    listQuery: 'calls?direction=inbound',
  },
  {
    key: 'answer_rate',
    label: t('Answer rate'),
    description: t('Answered calls, of all that were not blocked'),
    betterWhen: 'more',
    format: percent,
  },
  {
    key: 'missed',
    label: t('Missed calls'),
    betterWhen: 'fewer',
    listQuery: 'calls?direction=inbound&outcome=2',
  },
  {
    key: 'first_time',
    label: t('New callers'),
    description: t('First contact with your company'),
    betterWhen: 'more',
  },
  {
    key: 'messages',
    label: t('Texts'),
    description: t('Sent and received'),
    listQuery: 'messages',
  },
];
/** The other metrics, under "More". */
const otherMetrics = (): readonly Metric[] => [
  {
    key: 'answered',
    label: t('Answered'),
    betterWhen: 'more',
    listQuery: 'calls?direction=inbound&outcome=1',
  },
  { key: 'voicemail', label: t('Voicemail'), listQuery: 'calls?direction=inbound&outcome=3' },
  { key: 'blocked', label: t('Blocked'), listQuery: 'calls?direction=inbound&outcome=4' },
  {
    key: 'avg_ring',
    label: t('Ring time'),
    description: t('Average until answered'),
    betterWhen: 'fewer',
    format: formatDuration,
  },
  {
    key: 'avg_duration',
    label: t('Talk time'),
    description: t('Average of answered calls'),
    format: formatDuration,
  },
  { key: 'total_minutes', label: t('Minutes'), description: t('Total talk time') },
  {
    key: 'unique_callers',
    label: t('Callers'),
    description: t('Different phone numbers'),
    betterWhen: 'more',
  },
  { key: 'qualified', label: t('Qualified'), betterWhen: 'more' },
  { key: 'leads', label: t('Leads'), betterWhen: 'more' },
];
const defaultFilters = { period: 'week', against: 'before' };
/** The year is shown only when it isn't the current one. */
const formatRange = ({ start: from, end }: DateRange, year: string): string => {
  const day = (iso: string): string =>
    (iso.startsWith(year) ? formatDay : formatDate)(`${iso}T12:00:00Z`, 'UTC');
  return from === end ? day(end) : `${day(from)} – ${day(end)}`;
};
/** The label of a series point: `Nov 21`, `9:00 AM`. */
const formatPoint = (at: string): string =>
  at.length === 10 ? formatDay(`${at}T12:00:00Z`, 'UTC') : formatTime(`${at}:00Z`, 'UTC');

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
  const k = response?.data;
  const year = now.end.slice(0, 4);
  const isComparable = since === undefined || calendarDay(since, zone) <= then.start;
  const isEmpty =
    k && k.current.total + k.previous.total + k.current.messages + k.previous.messages === 0;
  const open = (rows: string | undefined): string | null =>
    rows && (rows.startsWith('messages') ? seesTexts : seesCalls)
      ? `/activity/${rows}${rows.includes('?') ? '&' : '?'}period=${filters.period}`
      : null;
  const tile = (metric: Metric, points?: React.ReactNode) => (
    <Tile key={metric.key} metric={metric} href={open(metric.listQuery)}>
      <strong data-numeric>
        {k ? (
          (metric.format ?? formatNumber)(k.current[metric.key])
        ) : (
          <Skeleton height={16} width={44} my={6} />
        )}
      </strong>
      {!k ? (
        <Skeleton height={10} width={56} my={4} />
      ) : isComparable ? (
        <Change
          metric={metric}
          abs={k.change[metric.key].abs}
          pct={k.change[metric.key].pct}
          before={k.previous[metric.key]}
        />
      ) : (
        <small className={css.change}>{t('No earlier data')}</small>
      )}
      {points}
    </Tile>
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
        <div className={css.choices}>
          <Select
            size="xs"
            w={130}
            aria-label={t('Period')}
            allowDeselect={false}
            value={filters.period}
            onChange={(period) => set({ period: period ?? 'week' })}
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
            value={filters.against}
            onChange={(against) => set({ against: against ?? 'before' })}
            data={[
              { value: 'before', label: t('Previous period') },
              { value: '1', label: t('A month earlier') },
              { value: '3', label: t('Three months earlier') },
              { value: '6', label: t('Six months earlier') },
              { value: '12', label: t('A year earlier') },
            ]}
          />
        </div>
      </div>
      {error && !k ? (
        <ErrorState error={error} retry={refetch} />
      ) : isEmpty ? (
        <div className={css.none}>
          <EmptyState title={t('No calls in this period')}>
            {t('Figures appear with the first call or text.')}
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className={css.figures} aria-busy={!k || undefined}>
            {mainMetrics().map((metric) =>
              tile(metric, <MetricBars metric={metric} series={k?.series} />),
            )}
          </ul>
          {k && (
            <details className={css.more}>
              <summary>
                <IconChevronRight size={16} aria-hidden /> {t('More')}
              </summary>
              <ul className={css.others}>{otherMetrics().map((metric) => tile(metric))}</ul>
              <SeriesTable series={k.series} />
            </details>
          )}
        </>
      )}
    </section>
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

function MetricBars({
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
          low && high
            ? t(
                '{label} from {first} to {last}: lowest {low} ({lowAt}), highest {high} ({highAt})',
                {
                  label: metric.label,
                  first: points[0]!.label,
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
function SeriesTable({ series }: { series: readonly SeriesPoint[] }) {
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
