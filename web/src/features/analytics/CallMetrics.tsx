import { Select, Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { analytics } from '#contract';
import type { PeriodFigures } from '#contract/analytics';
import {
  calendarDay,
  EmptyState,
  ErrorState,
  formatDate,
  formatDay,
  formatDuration,
  formatNumber,
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
import css from './CallMetrics.module.css';

type MetricKey = keyof PeriodFigures;
/** Whether more of it is good news, bad news or neither; `rows` leads to what was counted. */
interface Metric {
  key: MetricKey;
  label: string;
  description?: string;
  betterWhen?: 'more' | 'fewer';
  format?: (n: number) => string;
  listQuery?: string;
  wideOnly?: boolean;
}
const percent = (n: number): string => `${formatNumber(n)}%`;
const metrics = (): readonly Metric[] => [
  { key: 'total', label: t('Calls'), betterWhen: 'more', listQuery: 'calls?direction=inbound' },
  {
    key: 'answered',
    label: t('Answered'),
    betterWhen: 'more',
    listQuery: 'calls?direction=inbound&outcome=1',
  },
  {
    key: 'missed',
    label: t('Missed'),
    betterWhen: 'fewer',
    listQuery: 'calls?direction=inbound&outcome=2',
  },
  { key: 'voicemail', label: t('Voicemail'), listQuery: 'calls?direction=inbound&outcome=3' },
  {
    key: 'blocked',
    label: t('Blocked'),
    listQuery: 'calls?direction=inbound&outcome=4',
    wideOnly: true,
  },
  {
    key: 'answer_rate',
    label: t('Answer rate'),
    description: t('Answered, of all that were not blocked'),
    betterWhen: 'more',
    format: percent,
  },
  {
    key: 'avg_ring',
    label: t('Ring time'),
    description: t('Until somebody answered, on average'),
    betterWhen: 'fewer',
    format: formatDuration,
    wideOnly: true,
  },
  {
    key: 'avg_duration',
    label: t('Talk time'),
    description: t('Of answered calls, on average'),
    format: formatDuration,
  },
  { key: 'total_minutes', label: t('Minutes'), description: t('Talked in all'), wideOnly: true },
  {
    key: 'unique_callers',
    label: t('Callers'),
    description: t('Different phones'),
    betterWhen: 'more',
    wideOnly: true,
  },
  {
    key: 'first_time',
    label: t('New callers'),
    description: t('Who never called or texted before'),
    betterWhen: 'more',
  },
  { key: 'qualified', label: t('Qualified'), betterWhen: 'more', wideOnly: true },
  { key: 'leads', label: t('Leads'), betterWhen: 'more' },
  {
    key: 'messages',
    label: t('Texts'),
    description: t('In both directions'),
    listQuery: 'messages',
    wideOnly: true,
  },
];
const defaultFilters = { period: 'week', against: 'before' };
/** The year is said where it is not this one. */
const formatRange = ({ start: from, end }: DateRange, year: string): string => {
  const day = (iso: string): string =>
    (iso.startsWith(year) ? formatDay : formatDate)(`${iso}T12:00:00Z`, 'UTC');
  return from === end ? day(end) : `${day(from)} – ${day(end)}`;
};

/** Calls that came in during a period, against another (A9.4). Both choices stand in the address; news makes the figures new. */
export function CallMetrics() {
  const companyId = useCompanyId();
  const seesCalls = usePermission('calls.view'),
    seesTexts = usePermission('inbox.view');
  const { filters, set } = useFilters(defaultFilters);
  const zone = userZone();
  const now = rangeOf(filters.period as Period, calendarDay(useNow(60_000), zone));
  const then = comparisonRange(now, filters.against as Comparison);
  const { response, error, refetch } = useApiQuery(
    analytics.callKpi,
    {
      params: { companyId: companyId ?? 0 },
      body: { currentRange: now, previousRange: then, tz: zone },
    },
    { enabled: companyId !== null, staleTime: 15_000, silent: true },
  );
  const k = response?.data;
  const year = now.end.slice(0, 4);
  const silent =
    k && k.current.total + k.previous.total + k.current.messages + k.previous.messages === 0;
  const open = (rows: string | undefined): string | null =>
    rows && (rows.startsWith('messages') ? seesTexts : seesCalls)
      ? `/activity/${rows}${rows.includes('?') ? '&' : '?'}period=${filters.period}`
      : null;
  return (
    <section aria-labelledby="call-figures">
      <div className={css.head}>
        <h2 id="call-figures" className={css.title}>
          {t('Calls that came in')}{' '}
          <small>
            {t('{now}, against {then}', {
              now: formatRange(now, year),
              then: formatRange(then, year),
            })}
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
              { value: 'before', label: t('The days just before') },
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
      ) : silent ? (
        <div className={css.none}>
          <EmptyState title={t('Nobody called')}>
            {t(
              'Neither in these days nor in those they are compared with. Figures appear with the first call.',
            )}
          </EmptyState>
        </div>
      ) : (
        <ul className={css.figures} aria-busy={!k || undefined}>
          {metrics().map((f) => {
            const to = open(f.listQuery);
            const inside = (
              <>
                <span>{f.label}</span>
                <strong data-numeric>
                  {k ? (
                    (f.format ?? formatNumber)(k.current[f.key])
                  ) : (
                    <Skeleton height={16} width={44} my={6} />
                  )}
                </strong>
                {k ? (
                  <Change
                    figure={f}
                    abs={k.change[f.key].abs}
                    pct={k.change[f.key].pct}
                    before={k.previous[f.key]}
                  />
                ) : (
                  <Skeleton height={10} width={56} my={4} />
                )}
              </>
            );
            return (
              <li key={f.key} title={f.description} data-wide={f.wideOnly || undefined}>
                {to ? (
                  <a className={css.figure} href={to}>
                    {inside}
                  </a>
                ) : (
                  <div className={css.figure}>{inside}</div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** How it changed: an arrow and a share (or the number, when there was nothing before); whether that is good is said by colour as well. */
function Change({
  figure,
  abs,
  pct,
  before,
}: {
  figure: Metric;
  abs: number;
  pct: number | null;
  before: number;
}) {
  const was = t('{n} before', { n: (figure.format ?? formatNumber)(before) });
  if (abs === 0)
    return (
      <small className={css.change} title={was}>
        {t('as before')}
      </small>
    );
  // An average of nothing is no measure.
  if (pct === null && figure.format)
    return <small className={css.change}>{t('none before')}</small>;
  const tone =
    figure.betterWhen === undefined
      ? undefined
      : abs > 0 === (figure.betterWhen === 'more')
        ? 'good'
        : 'bad';
  const Arrow = abs > 0 ? IconArrowUpRight : IconArrowDownRight;
  const words =
    figure.key === 'answer_rate'
      ? t('{n} points', { n: signed(abs) })
      : pct === null
        ? signed(abs)
        : `${signed(pct)}%`;
  return (
    <small className={css.change} data-tone={tone} title={was}>
      <Arrow size={13} aria-hidden />
      {words}
      <Hidden>, {was}</Hidden>
    </small>
  );
}
const signed = (n: number): string =>
  n > 0 ? `+${formatNumber(n)}` : `−${formatNumber(Math.abs(n))}`;
