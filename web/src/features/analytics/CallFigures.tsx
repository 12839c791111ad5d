import { Select, Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { analytics } from '#contract';
import type { PeriodFigures } from '#contract/analytics';
import {
  dayOf,
  EmptyState,
  ErrorState,
  formatDate,
  formatDay,
  formatDuration,
  formatNumber,
  Hidden,
  t,
  useAsk,
  useCompanyId,
  useFilters,
  useMay,
  useNow,
  userZone,
} from '#ui';
import { comparedWith, daysOf, type Against, type Days, type Period } from './ranges.ts';
import css from './CallFigures.module.css';

type Key = keyof PeriodFigures;
/** Whether more of it is good news, bad news or neither; `rows` leads to what was counted. */
interface Figure {
  key: Key;
  label: string;
  about?: string;
  good?: 'more' | 'fewer';
  show?: (n: number) => string;
  rows?: string;
  wideOnly?: boolean;
}
const percent = (n: number): string => `${formatNumber(n)}%`;
const figures = (): readonly Figure[] => [
  { key: 'total', label: t('Calls'), good: 'more', rows: 'calls?direction=inbound' },
  {
    key: 'answered',
    label: t('Answered'),
    good: 'more',
    rows: 'calls?direction=inbound&outcome=1',
  },
  { key: 'missed', label: t('Missed'), good: 'fewer', rows: 'calls?direction=inbound&outcome=2' },
  { key: 'voicemail', label: t('Voicemail'), rows: 'calls?direction=inbound&outcome=3' },
  {
    key: 'blocked',
    label: t('Blocked'),
    rows: 'calls?direction=inbound&outcome=4',
    wideOnly: true,
  },
  {
    key: 'answer_rate',
    label: t('Answer rate'),
    about: t('Answered, of all that were not blocked'),
    good: 'more',
    show: percent,
  },
  {
    key: 'avg_ring',
    label: t('Ring time'),
    about: t('Until somebody answered, on average'),
    good: 'fewer',
    show: formatDuration,
    wideOnly: true,
  },
  {
    key: 'avg_duration',
    label: t('Talk time'),
    about: t('Of answered calls, on average'),
    show: formatDuration,
  },
  { key: 'total_minutes', label: t('Minutes'), about: t('Talked in all'), wideOnly: true },
  {
    key: 'unique_callers',
    label: t('Callers'),
    about: t('Different phones'),
    good: 'more',
    wideOnly: true,
  },
  {
    key: 'first_time',
    label: t('New callers'),
    about: t('Who never called or texted before'),
    good: 'more',
  },
  { key: 'qualified', label: t('Qualified'), good: 'more', wideOnly: true },
  { key: 'leads', label: t('Leads'), good: 'more' },
  {
    key: 'messages',
    label: t('Texts'),
    about: t('In both directions'),
    rows: 'messages',
    wideOnly: true,
  },
];
const start = { period: 'week', against: 'before' };
/** The year is said where it is not this one. */
const span = ({ start: from, end }: Days, year: string): string => {
  const day = (iso: string): string =>
    (iso.startsWith(year) ? formatDay : formatDate)(`${iso}T12:00:00Z`, 'UTC');
  return from === end ? day(end) : `${day(from)} – ${day(end)}`;
};

/** Calls that came in during a period, against another (A9.4). Both choices stand in the address; news makes the figures new. */
export function CallFigures() {
  const companyId = useCompanyId();
  const seesCalls = useMay('calls.view'),
    seesTexts = useMay('inbox.view');
  const { filters, set } = useFilters(start);
  const zone = userZone();
  const now = daysOf(filters.period as Period, dayOf(useNow(60_000), zone));
  const then = comparedWith(now, filters.against as Against);
  const { answer, refusal, again } = useAsk(
    analytics.callKpi,
    {
      params: { companyId: companyId ?? 0 },
      body: { currentRange: now, previousRange: then, tz: zone },
    },
    { when: companyId !== null, freshMs: 15_000, quiet: true },
  );
  const k = answer?.data;
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
            {t('{now}, against {then}', { now: span(now, year), then: span(then, year) })}
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
      {refusal && !k ? (
        <ErrorState refusal={refusal} again={again} />
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
          {figures().map((f) => {
            const to = open(f.rows);
            const inside = (
              <>
                <span>{f.label}</span>
                <strong data-numeric>
                  {k ? (
                    (f.show ?? formatNumber)(k.current[f.key])
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
              <li key={f.key} title={f.about} data-wide={f.wideOnly || undefined}>
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
  figure: Figure;
  abs: number;
  pct: number | null;
  before: number;
}) {
  const was = t('{n} before', { n: (figure.show ?? formatNumber)(before) });
  if (abs === 0)
    return (
      <small className={css.change} title={was}>
        {t('as before')}
      </small>
    );
  // An average of nothing is no measure.
  if (pct === null && figure.show) return <small className={css.change}>{t('none before')}</small>;
  const tone =
    figure.good === undefined ? undefined : abs > 0 === (figure.good === 'more') ? 'good' : 'bad';
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
