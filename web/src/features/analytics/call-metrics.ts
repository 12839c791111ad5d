import type { PeriodFigures, SeriesPoint } from '#contract/analytics/schemas';
import { formatDate, formatDay, formatDuration, formatNumber, formatTime, t } from '#ui';
import type { DateRange } from './ranges.ts';

type MetricKey = keyof PeriodFigures;
export type SeriesKey = Exclude<keyof SeriesPoint, 'at'>;
/** `betterWhen`: which direction is good (absent: neither). `listQuery` links to the counted items. */
export interface Metric {
  key: MetricKey;
  label: string;
  description?: string;
  betterWhen?: 'more' | 'fewer';
  format?: (n: number) => string;
  listQuery?: string;
}
const percent = (n: number): string => `${formatNumber(n)}%`;
/** The five metrics with bars. */
export const mainMetrics = (): readonly (Metric & { key: SeriesKey })[] => [
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
export const otherMetrics = (): readonly Metric[] => [
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
/** The year is shown only when it isn't the current one. */
export const formatRange = ({ start: from, end }: DateRange, year: string): string => {
  const day = (iso: string): string =>
    (iso.startsWith(year) ? formatDay : formatDate)(`${iso}T12:00:00Z`, 'UTC');
  return from === end ? day(end) : `${day(from)} – ${day(end)}`;
};
/** The label of a series point: `Nov 21`, `9:00 AM`. */
export const formatPoint = (at: string): string =>
  at.length === 10 ? formatDay(`${at}T12:00:00Z`, 'UTC') : formatTime(`${at}:00Z`, 'UTC');
