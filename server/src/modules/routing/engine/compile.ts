/**
 * Compiles a number's configuration to a Flow: fills in defaults, builds the menu, adds warnings.
 */
import { formatPhone } from '#contract/phone';
import type { Prompt } from '../../../gateways/voice.ts';
import type { Flow, Menu, Person, Route } from './types.ts';
import { sayPrompt } from './labels.ts';

/** The stored configuration of a number, read at call start. */
export interface NumberConfig {
  company: { id: number; name: string };
  number: { id: number; number: string; label: string };
  service: Flow['service'];
  blocked: string | null;
  full: string | null;
  hops: number;
  sourceWhisper?: string | undefined;
  loops: string[];
  routes: Route[];
  /** Played before the menu or the first ring; null = none. */
  welcome?: Prompt[] | null;
  /** Played when closed and no after-hours action is set; null = the default message. */
  closed?: Prompt[] | null;
  /** File ids of hold music from id 1000 on (A29). */
  musicFiles?: Record<number, string>;
  /** The menu prompt; null = built from the routes' labels. */
  menuGreeting: Prompt[] | null;
  /** Route of a caller who chose nothing; null = voicemail if enabled, else the first route. */
  menuFallback: number | 'voicemail' | null;
  voicemail: { enabled: boolean; greeting: Prompt[] | null };
  record: boolean;
  /** The caller presses 1 before anyone is rung; absent: not. */
  screening?: boolean;
  recordingAnnouncement: 'none' | 'default' | Prompt[];
  people: Person[];
}

/** Longest voicemail message, seconds. */
const maxMessageSeconds = 300;
/** Longest connected call, seconds: the four hours of most carriers. */
const maxTalkSeconds = 14_400;

/** The Flow of a configuration. Never throws: problems become `warnings`. */
export function compileFlow(config: NumberConfig): Flow {
  const routes = config.routes.toSorted((a, b) => a.extension - b.extension);
  return {
    version: 1,
    company: config.company,
    number: config.number,
    service: config.service,
    blocked: config.blocked,
    full: config.full,
    hops: config.hops,
    sourceWhisper: config.sourceWhisper,
    loops: config.loops,
    ...(config.screening && { screening: true }),
    menu: routes.length > 1 ? compileMenu(routes, config) : null,
    routes,
    voicemail: {
      enabled: config.voicemail.enabled,
      greeting: config.voicemail.greeting ?? [
        sayPrompt(
          `You have reached ${config.company.name}. Please leave a message after the tone.`,
        ),
      ],
      maxSeconds: maxMessageSeconds,
    },
    recording: { on: config.record, announcement: announcementOf(config.recordingAnnouncement) },
    people: config.people,
    welcome: config.welcome ?? null,
    closed: config.closed ?? null,
    musicFiles: config.musicFiles ?? {},
    words: {
      unavailable: 'No one is available to take your call right now. Please try again later.',
      afterHours: `${config.company.name} is closed right now. Please call again during business hours.`,
      notInService: 'The number you have called is not in service.',
    },
    maxTalkSeconds,
    warnings: flowWarnings(routes, config),
  };
}

function announcementOf(setting: NumberConfig['recordingAnnouncement']): Prompt[] | null {
  if (setting === 'none') return null;
  return setting === 'default' ? [sayPrompt('This call may be recorded.')] : setting;
}

function flowWarnings(routes: Route[], config: NumberConfig): string[] {
  const warnings = routes.flatMap((route) => routeWarnings(route, config));
  const duplicates = routes.filter(
    (route, i) => routes.findIndex((other) => other.extension === route.extension) !== i,
  );
  for (const route of duplicates)
    warnings.push(`Extension ${route.extension} is used twice. Callers can only reach the first.`);
  if (routes.length === 0)
    warnings.push(
      config.voicemail.enabled
        ? 'There are no routes, so every call goes to voicemail.'
        : 'There are no routes and voicemail is off, so callers hear a message.',
    );
  return warnings;
}

function compileMenu(routes: Route[], config: NumberConfig): Menu {
  const choices = routes.map(({ label, extension }) => {
    const name = label === '' ? `extension ${extension}` : label;
    return `For ${name}, press ${extension}.`;
  });
  return {
    greeting: config.menuGreeting ?? [
      sayPrompt(`Thank you for calling ${config.company.name}. ${choices.join(' ')}`),
    ],
    retryPrompt: [sayPrompt('Sorry, that is not a valid choice.')],
    silencePrompt: [sayPrompt('Sorry, we didn’t receive a choice.')],
    attempts: 3,
    waitSeconds: 5,
    maxDigits: Math.max(...routes.map((route) => String(route.extension).length)),
    fallbackRouteId: fallbackRouteOf(routes, config),
  };
}

/** The route of a caller who chose nothing; null = the number's voicemail. */
function fallbackRouteOf(routes: Route[], config: NumberConfig): number | null {
  const fallback = config.menuFallback;
  if (typeof fallback === 'number' && routes.some((route) => route.id === fallback))
    return fallback;
  if (fallback === 'voicemail' || config.voicemail.enabled) return null;
  return routes[0]?.id ?? null;
}

function routeWarnings(route: Route, config: NumberConfig): string[] {
  const name = route.label === '' ? `Extension ${route.extension}` : route.label;
  const found: string[] = [];
  const rings = route.type !== 'voicemail' && route.type !== 'in-app-calling';
  if (rings && route.forwards.length === 0) found.push(`${name} has no destination.`);
  if (route.type === 'in-app-calling' && !config.people.some((person) => person.reachable))
    found.push(`${name}: no one is active in the app right now.`);
  const destinations = route.forwards.flatMap((one) => one.team?.members ?? [one]);
  if (route.type === 'simultaneous' && destinations.length > 10)
    found.push(`${name}: only the first 10 of ${destinations.length} destinations ring at once.`);
  for (const { team, label } of route.forwards)
    if (team?.members.length === 0) found.push(`${name}: ${label} has no one in it.`);
  if (rings && !route.voicemail.enabled)
    found.push(`${name} has no voicemail: unanswered callers hear a message, and the call ends.`);
  for (const forward of destinations) {
    const person = config.people.find(({ userId }) => userId === forward.userId);
    if (person?.excluded)
      found.push(`${name}: ${person.name} can’t see this number, so it doesn’t ring them.`);
    if (forward.number === config.number.number)
      found.push(`${name} forwards to the number itself.`);
    else if (forward.number !== null && config.loops.includes(forward.number))
      found.push(`${name} forwards to ${formatPhone(forward.number)}, which leads back here.`);
  }
  const after = route.afterHours;
  if (after?.action === 'route' && !config.routes.some((other) => other.id === after.routeId))
    found.push(`${name}: the after-hours route no longer exists.`);
  return found;
}
