import {
  afterHoursWords,
  exceptionWords,
  hoursWords,
  keyWords,
  listed,
  musicNames,
  quoted,
  ringingWords,
  routeName,
  seconds,
  type DescribedFlow,
  type DescribedRoute,
  type Names,
} from './flow-sentences.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What `after` does differently from `before`, one sentence each; empty: nothing. */
export function flowChanges(
  before: DescribedFlow,
  after: DescribedFlow,
  names: Names = {},
): string[] {
  const said: string[] = [];
  const twinOf = new Map<DescribedRoute, DescribedRoute>();
  const free = new Set(before.routes);
  const pair = (matches: (a: DescribedRoute, b: DescribedRoute) => boolean): void => {
    for (const route of after.routes) {
      const twin = twinOf.has(route) ? undefined : [...free].find((one) => matches(one, route));
      if (twin === undefined) continue;
      twinOf.set(route, twin);
      free.delete(twin);
    }
  };
  pair((a, b) => a.id !== null && a.id === b.id);
  pair((a, b) => a.extension === b.extension);
  for (const gone of free) said.push(`${routeName(gone)} was removed.`);
  for (const route of after.routes) {
    const twin = twinOf.get(route);
    if (twin === undefined)
      said.push(`${routeName(route)} was added: it ${ringingWords(route, names)}.`);
    else said.push(...routeChanges(twin, route, after, names));
  }
  said.push(...menuChanges(before, after));
  return said;
}

function menuChanges(before: DescribedFlow, after: DescribedFlow): string[] {
  const said: string[] = [];
  if (!same(before.menu.greeting_id ?? null, after.menu.greeting_id ?? null))
    said.push(
      after.menu.greeting_id
        ? 'The menu has a different greeting.'
        : 'The menu no longer plays a greeting from the library.',
    );
  if (!same(before.menu.greeting, after.menu.greeting))
    said.push(
      after.menu.greeting === null
        ? 'The menu text is generated from the labels again.'
        : `The menu now says ${quoted(after.menu.greeting)}.`,
    );
  if (!same(before.menu.fallback, after.menu.fallback)) {
    const to = after.routes.find((one) => one.extension === after.menu.fallback);
    const route = to ? routeName(to) : 'the default route';
    const goes = after.menu.fallback === 'voicemail' ? 'leave a voicemail' : `go to ${route}`;
    said.push(`Callers who press nothing now ${goes}.`);
  }
  return said;
}

const nameChanges = (a: DescribedRoute, b: DescribedRoute): string[] => {
  const said: string[] = [];
  if (a.label !== b.label && b.label === '') said.push(`${routeName(a)} no longer has a label.`);
  else if (a.label !== b.label)
    said.push(
      a.label === ''
        ? `Extension ${b.extension} is now called ${b.label}.`
        : `${a.label} is now called ${b.label}.`,
    );
  if (a.extension !== b.extension)
    said.push(`${routeName(b)} moved from extension ${a.extension} to ${b.extension}.`);
  return said;
};

function hoursChanges(a: DescribedRoute, b: DescribedRoute, after: DescribedFlow): string[] {
  const name = routeName(b);
  const said: string[] = [];
  const [wasOpen, open] = [hoursWords(a.business_hours), hoursWords(b.business_hours)];
  if (wasOpen !== open && open === '') said.push(`${name} now goes straight to voicemail.`);
  else if (wasOpen !== open)
    said.push(open === null ? `${name} is now always open.` : `${name} is now open ${open}.`);
  if (exceptionWords(a.business_hours) !== exceptionWords(b.business_hours))
    said.push(`${name} has different special days.`);
  if (!same(a.after_hours, b.after_hours))
    said.push(`After hours at ${name}, ${afterHoursWords(b, after)}.`);
  return said;
}

function voicemailChanges(a: DescribedRoute, b: DescribedRoute): string[] {
  const name = routeName(b);
  const said: string[] = [];
  if (a.voicemail_enabled !== b.voicemail_enabled)
    said.push(
      b.voicemail_enabled
        ? `${name} now goes to voicemail.`
        : `${name} no longer goes to voicemail.`,
    );
  const greetingOf = (route: DescribedRoute) => [
    route.voicemail_greeting,
    route.voicemail_greeting_id,
  ];
  if (!same(greetingOf(a), greetingOf(b))) said.push(`${name} has a different voicemail greeting.`);
  return said;
}

function confirmChanges(a: DescribedRoute, b: DescribedRoute): string[] {
  const name = routeName(b);
  const said: string[] = [];
  if (a.confirm_key !== b.confirm_key)
    said.push(
      b.confirm_key === false
        ? `${name} no longer asks for a key.`
        : `Anyone who answers for ${name} now presses ${keyWords(b.confirm_key)}.`,
    );
  else if (a.confirm_key_wait !== b.confirm_key_wait)
    said.push(`${name} now waits ${seconds(b.confirm_key_wait)} for the key.`);
  if (a.confirm_whisper !== b.confirm_whisper)
    said.push(
      b.confirm_whisper === ''
        ? `${name} no longer has a whisper.`
        : `The whisper of ${name} is now ${quoted(b.confirm_whisper)}.`,
    );
  return said;
}

function callerChanges(a: DescribedRoute, b: DescribedRoute): string[] {
  const name = routeName(b);
  const said: string[] = [];
  if (a.onhold_music_id !== b.onhold_music_id)
    said.push(
      b.onhold_music_id === null
        ? `Callers to ${name} now hear ringing.`
        : `Callers to ${name} now hear ${musicNames[b.onhold_music_id] ?? 'your own'} music.`,
    );
  if (a.caller_id_pass_thru !== b.caller_id_pass_thru)
    said.push(
      b.caller_id_pass_thru
        ? `${name} now shows the caller’s number.`
        : `${name} now shows this number instead of the caller’s.`,
    );
  return said;
}

function routeChanges(
  a: DescribedRoute,
  b: DescribedRoute,
  after: DescribedFlow,
  names: Names,
): string[] {
  const name = routeName(b);
  const ringing = ringingWords(b, names);
  const said = [
    ...nameChanges(a, b),
    ...(ringingWords(a, names) === ringing ? [] : [`${name} now ${ringing}.`]),
    ...hoursChanges(a, b, after),
    ...voicemailChanges(a, b),
    ...confirmChanges(a, b),
    ...callerChanges(a, b),
  ];
  if (!same(a.email_alert_address, b.email_alert_address))
    said.push(
      b.email_alert_address.length === 0
        ? `${name} no longer sends an email.`
        : `${name} now sends an email to ${listed(b.email_alert_address)}.`,
    );
  // A setting that no sentence above covers.
  if (said.length === 0 && !same(comparable(a), comparable(b)))
    said.push(`The settings of ${name} changed.`);
  return said;
}

/** A route without what saving assigns: IDs and the numbers of the order. */
const comparable = ({ id: _, forwards, ...route }: DescribedRoute): unknown =>
  Object.entries({
    ...route,
    max_attempts: 0,
    forwards: forwards.map(
      ({
        label,
        number,
        user_id,
        team_id,
        weight,
        timeout,
        schedule,
        area_codes,
        states,
        caller_id,
        custom_caller_id,
      }) => ({
        label,
        number,
        user_id,
        team_id,
        weight,
        timeout,
        schedule,
        area_codes,
        states,
        caller_id,
        custom_caller_id,
      }),
    ),
  }).toSorted(([a], [b]) => a.localeCompare(b));

/** The changes in one line, for a list of versions. */
export function changesInShort(changes: readonly string[]): string {
  if (changes.length === 0) return 'Nothing changed.';
  const shown = changes.slice(0, 3).join(' ');
  return changes.length > 3
    ? `${shown} And ${changes.length - 3} more ${changes.length === 4 ? 'change' : 'changes'}.`
    : shown;
}
