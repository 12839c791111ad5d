/** What /analytics/calls must answer, counted call by call in a way of its own. */
import type { CallReportRow } from '#contract/analytics/call-analytics/schemas';
import type { KnownCall } from './random-calls.ts';

/** A call and the company it is of. */
export interface OwnedCall extends KnownCall {
  company: number;
  unit: number | null;
}
export type Asked = Record<string, unknown> & { group: string; target: string; tz: string };

const parts = (tz: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    weekday: 'short',
  });
const formats = new Map<string, Intl.DateTimeFormat>();
/** The local day, hour and weekday of a call. */
export function localOf(call: KnownCall, tz: string) {
  const format = formats.get(tz) ?? parts(tz);
  formats.set(tz, format);
  const of = Object.fromEntries(
    format.formatToParts(new Date(call.started_at)).map(({ type, value }) => [type, value]),
  );
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(String(of['weekday']));
  const day = `${of['year']}-${of['month']}-${of['day']}`;
  return { day, hour: String(of['hour']), weekday };
}
const sundayBefore = (day: string, weekday: number) => {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() - weekday);
  return at.toISOString().slice(0, 10);
};
const none = '(none)';
const or = (value: string | number | null | undefined) =>
  value === null || value === undefined || value === '' ? none : String(value);
const outcomes = ['running', 'answered', 'missed', 'voicemail', 'blocked'];
const areaOf = (party: string) =>
  party.startsWith('+1') && party.length === 12 ? party.slice(2, 5) : null;

/** The keys of the rows that a call counts in. */
export function keysOf(call: OwnedCall, group: string, tz: string): string[] {
  const { day, hour, weekday } = localOf(call, tz);
  const forward = call.answered_by?.type === 'forward' ? call.answered_by : null;
  const one: Record<string, () => string> = {
    none: () => 'all',
    day: () => day,
    week: () => sundayBefore(day, weekday),
    month: () => day.slice(0, 7),
    hour: () => hour,
    weekday: () => String(weekday),
    number: () => String(call.number_id),
    source: () => or(call.source?.key),
    campaign: () => or(call.source?.campaign),
    user: () => or(call.user),
    forward: () => or(forward && (forward.id ?? forward.number)),
    extension: () => or(call.extension_label || call.extension),
    company: () => String(call.company),
    business_unit: () => or(call.unit),
    department: () => call.department,
    outcome: () => outcomes[call.outcome] ?? '?',
    sentiment: () => call.sentiment,
    // These companies have no lists; what lists count is shown by the tests of phrases.
    phrase_list: () => none,
    geo_state: () => or(call.caller_state),
    geo_area: () => or(areaOf(call.party)),
    dni_pool: () => or(call.pool),
  };
  if (group === 'tag') return call.tags.length ? call.tags.map(String) : [none];
  if (group === 'duration_bucket')
    return [30, 90, 120, 300].filter((over) => call.talk > over).map(String);
  const key = one[group];
  if (!key) throw new Error(`No such group: ${group}`);
  return [key()];
}

const has = (list: unknown, value: unknown) =>
  list === undefined || (list as unknown[]).some((one) => String(one) === String(value));
const same = (wanted: unknown, is: boolean) => wanted === undefined || wanted === is;

/** Whether a call is among those that are asked for. */
export function isAskedFor(call: OwnedCall, q: Asked): boolean {
  const { day } = localOf(call, q.tz);
  const way = q['direction'] ?? 'inbound';
  return (
    day >= String(q['start']) &&
    day <= String(q['end']) &&
    (way === 'all' || call.outbound === (way === 'outbound')) &&
    has(q['number_ids'], call.number_id) &&
    has(q['answer_status'], outcomes[call.outcome]) &&
    (q['min_duration'] === undefined || call.talk >= Number(q['min_duration'])) &&
    same(q['first_contact'], call.first) &&
    (q['answered_by'] === undefined ||
      (call.answered_by !== null && has(q['answered_by'], call.answered_by.type))) &&
    (q['user_ids'] === undefined || (call.user !== null && has(q['user_ids'], call.user))) &&
    has(q['geo_states'], call.caller_state ?? none) &&
    has(q['geo_areas'], areaOf(call.party) ?? none) &&
    has(q['sources'], call.source?.key ?? none) &&
    has(q['campaigns'], call.source?.campaign ?? none) &&
    (q['outcomes'] === undefined || call.outcome_tags.some((tag) => has(q['outcomes'], tag))) &&
    has(q['departments'], call.department) &&
    same(q['qualified'], call.qualified) &&
    same(q['lead'], call.lead) &&
    has(q['dni_pool_ids'], call.pool ?? none) &&
    has(q['extension_labels'], call.extension_label ?? none) &&
    has(q['sentiments'], call.sentiment) &&
    (q['tags'] === undefined || call.tags.some((tag) => has(q['tags'], tag)))
  );
}

const total = (calls: readonly OwnedCall[], of: (call: OwnedCall) => number) =>
  calls.reduce((sum, call) => sum + of(call), 0);
const mean = (calls: readonly OwnedCall[], of: (call: OwnedCall) => number) =>
  calls.length ? Math.round(total(calls, of) / calls.length) : 0;

/** The figures of some calls. */
export function figuresOf(calls: readonly OwnedCall[]): CallReportRow['figures'] {
  const of = (outcome: number) => calls.filter((call) => call.outcome === outcome);
  const answered = of(1);
  const open = calls.length - of(4).length;
  return {
    calls: calls.length,
    answered: answered.length,
    missed: of(2).length,
    voicemail: of(3).length,
    blocked: of(4).length,
    answer_rate: open ? Math.round((answered.length / open) * 1000) / 10 : null,
    unique: new Set(calls.map((call) => `${call.company} ${call.party}`)).size,
    first_time: calls.filter((call) => call.first).length,
    duration: total(calls, (call) => call.talk),
    avg_duration: mean(answered, (call) => call.talk),
    avg_ring: mean(answered, (call) => call.ring),
    qualified: calls.filter((call) => call.qualified).length,
    leads: calls.filter((call) => call.lead).length,
    value: total(calls, (call) => call.value ?? 0),
  };
}

/** The rows that have calls, by key. */
export function rowsOf(calls: readonly OwnedCall[], q: Asked): Map<string, OwnedCall[]> {
  const rows = new Map<string, OwnedCall[]>();
  for (const call of calls)
    for (const key of keysOf(call, q.group, q.tz)) rows.set(key, [...(rows.get(key) ?? []), call]);
  return rows;
}
