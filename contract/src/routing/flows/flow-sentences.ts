import { formatPhone } from '../../phone.ts';
import { zoneName } from '../../zone-name.ts';
import { displayedTime } from '../rules.ts';
import type { HoursShape, Route } from '../schemas/routes.ts';

type Forward = Route['forwards'][number];

type DescribedForward = Pick<
  Forward,
  | 'label'
  | 'number'
  | 'user_id'
  | 'team_id'
  | 'weight'
  | 'timeout'
  | 'schedule'
  | 'area_codes'
  | 'states'
  | 'caller_id'
  | 'custom_caller_id'
>;

/** The fields of a route that sentences describe; stored routes, drafts and versions all match. */
export type DescribedRoute = Omit<Route, 'id' | 'forwards' | 'max_attempts'> & {
  id: number | null;
  forwards: readonly DescribedForward[];
};

export interface DescribedFlow {
  routes: readonly DescribedRoute[];
  menu: {
    greeting: string | null;
    greeting_id?: number | null | undefined;
    fallback: 'voicemail' | number | null;
  };
}

/** User id → name. */
export type Names = Readonly<Record<string, string>>;

/** Joins words for a sentence: `Monday, Tuesday and Friday`. */
export const listed = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A duration in words: `1 second`, `20 seconds`. */
export const seconds = (n: number): string => (n === 1 ? '1 second' : `${n} seconds`);

const displayedPhone = (number: string): string =>
  number.startsWith('+') ? formatPhone(number) : number;

/** Spoken text in quotation marks, cut to 90 characters. */
export const quoted = (words: string): string =>
  `“${words.length > 90 ? `${words.slice(0, 89).trimEnd()}…` : words}”`;

function destinationName(
  forward: Pick<DescribedForward, 'label' | 'number' | 'user_id' | 'team_id'>,
  names: Names,
): string {
  if (forward.user_id !== null) return names[forward.user_id] ?? (forward.label || 'a former user');
  if (forward.team_id !== null) return forward.label || 'a former team';
  return (
    forward.label || (forward.number ? displayedPhone(forward.number) : 'an empty phone number')
  );
}

/** A route's label, or its extension. */
export const routeName = (route: Pick<DescribedRoute, 'label' | 'extension'>): string =>
  route.label || `Extension ${route.extension}`;

const dayNames = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;

type Day = keyof typeof dayNames;

const week = Object.keys(dayNames) as Day[];

function daysWords(days: readonly Day[]): string {
  const sorted = week.filter((day) => days.includes(day));
  const said = sorted.join();
  if (said === week.join()) return 'every day';
  if (said === 'mon,tue,wed,thu,fri') return 'on weekdays';
  if (said === 'sat,sun') return 'on weekends';
  const [first, last] = [sorted[0], sorted.at(-1)];
  const isRun = week.join().includes(said);
  if (first && last && sorted.length > 2 && isRun)
    return `from ${dayNames[first]} to ${dayNames[last]}`;
  return `on ${listed(sorted.map((day) => dayNames[day]))}`;
}

const timeWords = ({ start, end }: { start: string; end: string }): string =>
  start === '00:00' && end === '24:00'
    ? 'all day'
    : `between ${displayedTime(start)} and ${end === '24:00' ? 'midnight' : displayedTime(end)}`;

const nineToFive = [{ start: '09:00', end: '17:00' }];

/**
 * Opening hours as text: `between 9:00 AM and 5:00 PM on weekdays`. null: always; '': never (Direct
 * Voicemail).
 */
export function hoursWords(hours: HoursShape | null): string | null {
  if (hours === null) return null;
  if (hours.voicemail || hours.preset === 5) return '';
  if (hours.preset === 1)
    return hours.exceptions.some((one) => one.closed) ? 'around the clock' : null;
  if (hours.preset === 6) return 'during business hours';
  const blocks =
    hours.preset === 4
      ? hours.blocks
      : [{ days: hours.preset === 2 ? week.slice(0, 5) : week.slice(5), times: nineToFive }];
  if (blocks.length === 0) return 'never';
  const zone = hours.timezone === null ? '' : ` (${zoneName(hours.timezone)})`;
  return (
    listed(
      blocks.map((block) => `${listed(block.times.map(timeWords))} ${daysWords(block.days)}`),
    ) + zone
  );
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dateWords = (iso: string): string =>
  `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`;

/**
 * One sentence on the holidays and other exceptions of these hours, naming at most four. Null when
 * there are none, or when every call goes to voicemail.
 */
export function exceptionWords(hours: HoursShape | null): string | null {
  const all = hours?.exceptions ?? [];
  if (all.length === 0 || hours?.voicemail) return null;
  const said = all.slice(0, 4).map((one) => {
    const date =
      one.from === one.to ? dateWords(one.from) : `${dateWords(one.from)} to ${dateWords(one.to)}`;
    const name = one.label ? `${one.label} (${date})` : date;
    return one.closed || one.times.length === 0
      ? `closed on ${name}`
      : `open ${listed(one.times.map(timeWords))} on ${name}`;
  });
  return `${upper(said.join('; '))}${all.length > 4 ? `; and ${all.length - 4} more days` : ''}.`;
}

export const musicNames: Record<number, string> = { 1: 'classic', 2: 'light', 3: 'upbeat' };

/** A keypad key in words. Star and pound are stored as 65535 and 65534. */
export const keyWords = (key: DescribedRoute['confirm_key']): string =>
  key === 65_535 ? 'star' : key === 65_534 ? 'pound' : String(key);

const roundRobinWords: Record<DescribedRoute['round_robin'], string> = {
  none: '',
  strict: ', starting with the next one on each call',
  least_recent: ', starting with the one whose last answer is longest ago',
  weighted: ', in weighted order',
};

/** How the route rings: `rings Ana for 20 seconds, then Bob for 10 seconds`. */
export function ringingWords(route: DescribedRoute, names: Names): string {
  const name = (forward: DescribedForward): string => {
    const open = hoursWords(forward.schedule);
    return destinationName(forward, names) + (open ? ` (${open})` : '');
  };
  const all = route.forwards.map(name);
  const lasting = ` for ${seconds(route.timeout)}`;
  if (route.type === 'voicemail') return 'goes to voicemail';
  if (route.type === 'in-app-calling')
    return all.length === 0
      ? `rings everyone who is active in the app${lasting}`
      : `rings ${listed(all)} in the app${lasting}`;
  if (all.length === 0) return 'rings no one yet';
  if (route.type === 'sequential' && all.length > 1)
    return `rings ${route.forwards.map((forward) => `${name(forward)} for ${seconds(forward.timeout ?? route.timeout)}`).join(', then ')}${roundRobinWords[route.round_robin]}`;
  if (route.type === 'simultaneous' && all.length > 1)
    return `rings ${listed(all)} at once${route.stagger ? ', one more every 5 seconds,' : ''}${lasting}`;
  if (route.type === 'standard' && all.length > 1) {
    const weighted = route.forwards.some((one) => one.weight !== null);
    return `rings one of ${listed(
      route.forwards.map((one) => name(one) + (weighted ? ` (weight ${one.weight ?? 1})` : '')),
      'or',
    )}${weighted ? ', chosen by weight' : ', chosen at random'},${lasting}`;
  }
  if (route.type === 'geo') {
    const areas = route.forwards.map((one) => {
      const where = [...one.area_codes, ...(route.geo_by_state_enabled ? one.states : [])];
      if (where.length > 0) return `callers from ${listed(where, 'or')} ring ${name(one)}`;
      // A destination limited to states is never rung while states are not checked.
      return one.area_codes.length === 0 &&
        one.states.length === 0 &&
        route.geo_by_state_static_fallback
        ? `all other areas ring ${name(one)}`
        : null;
    });
    const said = areas.filter((one) => one !== null);
    return said.length === 0 ? 'rings no one yet' : `follows the caller’s area: ${said.join('; ')}`;
  }
  return `rings ${all[0]} for ${seconds(route.forwards[0]?.timeout ?? route.timeout)}`;
}

const nobodyWords = (route: DescribedRoute): string =>
  route.voicemail_enabled
    ? 'leaves a voicemail'
    : 'hears that no one is available, and the call ends';

/** What a caller hears outside the hours of a route, as part of a sentence. */
export function afterHoursWords(route: DescribedRoute, flow: DescribedFlow): string {
  const after = route.after_hours;
  if (after === null)
    return route.voicemail_enabled
      ? 'the caller leaves a voicemail'
      : 'the caller hears that you’re closed, and the call ends';
  if (after.action === 'voicemail') return 'the caller leaves a voicemail';
  if (after.action === 'forward')
    return `the call is forwarded to ${displayedPhone(String(after.target))}`;
  if (after.action === 'greeting' && typeof after.target !== 'string')
    return 'the caller hears your greeting, and the call ends';
  if (after.action === 'greeting')
    return `the caller hears ${quoted(String(after.target))}, and the call ends`;
  const other = flow.routes.find((one) => one.extension === Number(after.target));
  return `the call goes to ${other ? routeName(other) : `extension ${after.target}`}`;
}

/**
 * Sentences of one route: while open, when no one answers, and after hours. `lead` begins the first
 * sentence.
 */
function routeSentences(
  route: DescribedRoute,
  flow: DescribedFlow,
  names: Names,
  lead: string | null,
): string[] {
  const open = hoursWords(route.business_hours);
  const said: string[] = [];
  const greeting = route.voicemail_greeting ? ` after ${quoted(route.voicemail_greeting)}` : '';
  if (open === '')
    return [`${lead ? `${lead}: the` : 'The'} call goes straight to voicemail${greeting}.`];
  const doing =
    route.type === 'voicemail'
      ? `the caller leaves a voicemail${greeting}`
      : `the call ${ringingWords(route, names)}`;
  const first = open ? `${open}, ${doing}` : doing;
  said.push(`${lead ? `${lead}: ${first}` : upper(first)}.`);
  if (route.type !== 'voicemail') {
    const taking: string[] = [];
    if (route.confirm_whisper) taking.push(`hears ${quoted(route.confirm_whisper)}`);
    if (route.confirm_key !== false && route.type !== 'in-app-calling')
      taking.push(
        `presses ${keyWords(route.confirm_key)} within ${seconds(route.confirm_key_wait)} to take the call`,
      );
    if (taking.length > 0) said.push(`Anyone who answers ${listed(taking)}.`);
    if (route.onhold_music_id !== null)
      said.push(
        `Meanwhile the caller hears ${musicNames[route.onhold_music_id] ?? 'your own'} music.`,
      );
    said.push(
      `If no one answers, the caller ${nobodyWords(route)}${route.voicemail_enabled ? greeting : ''}.`,
    );
  }
  if (open) said.push(`At other times ${afterHoursWords(route, flow)}.`);
  else if (route.type === 'in-app-calling' && route.after_hours !== null)
    said.push(`If no one is active, ${afterHoursWords(route, flow)}.`);
  const days = exceptionWords(route.business_hours);
  if (days !== null) said.push(days);
  if (route.email_alert_address.length > 0)
    said.push(`An email about each call goes to ${listed(route.email_alert_address)}.`);
  return said;
}

/** A flow as sentences, in the order a caller experiences it. */
export function flowSentences(flow: DescribedFlow, names: Names = {}): string[] {
  const routes = flow.routes.toSorted((a, b) => a.extension - b.extension);
  const [only] = routes;
  if (only === undefined)
    return [
      'There are no routes yet. Callers reach the number’s voicemail if it’s on, or hear a message.',
    ];
  if (routes.length === 1) return routeSentences(only, flow, names, null);
  const hears = flow.menu.greeting_id
    ? 'Callers hear your greeting and press a key.'
    : flow.menu.greeting
      ? `Callers hear ${quoted(flow.menu.greeting)} and press a key.`
      : 'Callers hear the menu and press a key.';
  const { fallback } = flow.menu;
  const other = routes.find((one) => one.extension === fallback);
  const goes =
    fallback === 'voicemail'
      ? 'leave a voicemail'
      : other
        ? `go to ${routeName(other)}`
        : `leave a voicemail if it’s on for the number, or go to ${routeName(only)}`;
  return [
    hears,
    ...routes.flatMap((route) =>
      routeSentences(
        route,
        flow,
        names,
        `Press ${route.extension}${route.label ? ` for ${route.label}` : ''}`,
      ),
    ),
    `Callers who press nothing, or a wrong key three times, ${goes}.`,
  ];
}
