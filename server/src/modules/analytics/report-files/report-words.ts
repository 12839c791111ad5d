import type { CallGroup, CallTarget } from '#contract/analytics/call-analytics/rules';
import type { CallReportRow } from '#contract/analytics/call-analytics/schemas';
import { formatDuration } from '#contract/duration';
import { formatMoney } from '#contract/money';
import { countText, dayText, rateText } from '../mail-parts.ts';

/** The names of figures, in emails and files. */
export const figureNames: Record<CallTarget, string> = {
  calls: 'Calls',
  duration: 'Talk time',
  unique: 'Unique callers',
  answer_rate: 'Answer rate',
  qualified: 'Qualified',
  leads: 'Leads',
  value: 'Value',
};

/** A figure as it is said; an answer rate of no calls is a dash. */
export const figureText = (target: CallTarget, value: number | null): string =>
  value === null
    ? '–'
    : target === 'duration'
      ? formatDuration(value)
      : target === 'value'
        ? formatMoney(value)
        : target === 'answer_rate'
          ? rateText(value)
          : countText(value);

const groupNames: Partial<Record<CallGroup, string>> = {
  number: 'Your number',
  user: 'Person',
  forward: 'Forwarding contact',
  geo_state: 'State',
  geo_area: 'Area code',
  dni_pool: 'Tracking pool',
  duration_bucket: 'Duration',
  phrase_list: 'Phrase list',
  business_unit: 'Organization',
  none: 'All calls',
};
/** What rows are, as the head of their column. */
export const groupName = (group: CallGroup): string =>
  groupNames[group] ?? `${group.charAt(0).toUpperCase()}${group.slice(1).replaceAll('_', ' ')}`;

/** A row’s name; days and weeks as they are said. */
export const rowName = (group: CallGroup, { key, label }: CallReportRow): string =>
  group === 'day' || group === 'week' ? dayText(key, group === 'day') : label;
