import type { activityFields, ActivityKind } from '#contract/conversations/rules';
import { calendarDay } from '#ui';

/** The activity lists' filters as URL parameters, and as `POST /activity` takes them. */
export const activityDefaults = {
  search: '',
  direction: '',
  outcome: '',
  state: '',
  number: '',
  group: '',
  period: '',
  source: '',
  phrases: '',
  from: '',
  unread: false,
  eav: '',
  page: 1,
};
export type ActivityFilters = {
  [K in keyof typeof activityDefaults]: (typeof activityDefaults)[K];
};

interface Filter {
  field: (typeof activityFields)[number];
  op: 'eq' | 'ne' | 'in' | 'contains' | 'gte' | 'lte';
  value: string | number | boolean | (string | number)[];
}
export const periods = { today: 0, week: 6, month: 29, quarter: 89 } as const;

/**
 * Filters as groups (AND within a group, OR between groups). A search looks in the number, name and
 * text, what a visitor came from in the campaign, keyword and page.
 */
export function toFilterGroups(
  f: ActivityFilters,
  kind: ActivityKind,
  now: Date,
  zone: string,
): Filter[][] {
  const all: Filter[] = [];
  // The address may be typed by hand, or already that of the screen that comes next: what is no number there is no filter.
  const add = (field: Filter['field'], op: Filter['op'], value: Filter['value']): void =>
    void (Number.isNaN(value) || all.push({ field, op, value }));
  if (f.direction) add('direction', 'eq', f.direction);
  if (kind === 'call' && f.outcome === 'due') add('callback_due', 'eq', true);
  else if (f.outcome && kind === 'call') add('outcome', 'eq', Number(f.outcome));
  if (f.state && kind === 'message')
    add(
      'delivery_state',
      'in',
      f.state === 'trouble' ? ['failed', 'undelivered', 'unknown'] : [f.state],
    );
  if (f.state && kind === 'fax')
    add(
      'delivery_state',
      'in',
      f.state === 'trouble'
        ? ['failed', 'unknown']
        : f.state === 'waiting'
          ? ['queued', 'sending', 'sent', 'receiving']
          : [f.state],
    );
  if (f.number) add('number_id', 'eq', Number(f.number));
  if (f.group) add('data_group', 'eq', Number(f.group));
  if (f.phrases && (kind === 'call' || kind === 'voicemail'))
    add('phrase_list', 'eq', Number(f.phrases));
  if (f.unread) add('unread', 'eq', true);
  if (f.period in periods) {
    const first = new Date(
      Date.parse(`${calendarDay(now, zone)}T12:00Z`) -
        periods[f.period as keyof typeof periods] * 86_400_000,
    );
    add('at', 'gte', first.toISOString().slice(0, 10));
  }
  const isTracked = kind !== 'fax';
  if (f.source && isTracked) add('source', 'eq', f.source);
  const from = f.from.trim();
  const origins: Filter[] =
    from && isTracked
      ? (['source_campaign', 'keyword', 'landing_page'] as const).map((field) => ({
          field,
          op: 'contains',
          value: from,
        }))
      : [];
  const words = f.search.trim();
  const found = words ? searched(words).map((way) => [...all, way]) : all.length ? [all] : [];
  if (!origins.length) return found;
  return (found.length ? found : [[]]).flatMap((group) => origins.map((one) => [...group, one]));
}

/** The ways in which a search can match. */
function searched(words: string): Filter[] {
  const looksLikePhone = /^[\d\s()+.-]{3,}$/.test(words);
  const ways: Filter[] = [
    { field: 'party', op: 'contains', value: words.replace(/[\s()-]/g, '') },
    { field: 'contact', op: 'contains', value: words },
    { field: 'text', op: 'contains', value: words },
  ];
  return looksLikePhone ? ways.slice(0, 1) : ways;
}
