import { sentiments, type CallGroup } from '#contract/analytics/call-analytics/rules';
import { departments } from '#contract/calls/rules';
import { stateNames } from '#contract/states';
import { formatDay, t } from '#ui';
import { departmentName, moodName } from '../../calls/index.ts';

const noon = (day: string) => `${day}T12:00:00Z`;
const month = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' });

/** The name of a row in the person’s language; names of things are as they are. */
export function rowLabel(group: CallGroup, key: string, label: string): string {
  if (key === '(none)') return t('None');
  switch (group) {
    case 'day':
      return formatDay(noon(key), 'UTC');
    case 'week':
      return t('Week of {day}', { day: formatDay(noon(key), 'UTC') });
    case 'month':
      return month.format(new Date(noon(`${key}-15`)));
    case 'hour':
      return hour.format(new Date(`2026-01-01T${key}:00:00Z`));
    case 'weekday':
      // The fourth of January 2026 is a Sunday.
      return weekday.format(new Date(Date.UTC(2026, 0, 4 + Number(key), 12)));
    case 'outcome':
      return outcomeName(key) ?? label;
    case 'department':
      return departmentName(departments.find((one) => one === key) ?? 'unknown');
    case 'sentiment':
      return moodName(sentiments.find((one) => one === key) ?? 'unknown');
    case 'geo_state':
      return stateNames[key] ?? label;
    case 'duration_bucket':
      return t('Over {n} seconds', { n: key });
    default:
      return label;
  }
}

const outcomeName = (key: string): string | undefined =>
  ({
    answered: t('Answered'),
    missed: t('Missed'),
    voicemail: t('Voicemail'),
    blocked: t('Blocked'),
    running: t('In progress'),
  })[key];
