import type { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { Prompt } from '../../gateways/voice.ts';
import { companyRow, teamsById, type TeamWithPeople } from '../companies/index.ts';
import { readNumber, contactDestinations, type NumberSummary } from '../numbers/index.ts';
import { compileFlow, type Flow, type NumberConfig } from './engine/index.ts';
import { presentMenu } from './present.ts';
import { announcementOf } from './recording-announcement.ts';
import { callingPresenceNow, type CallingPresence } from './reachable-users.ts';
import { routesOf } from './routes-of.ts';
import { greetingIdsOfRoutes } from './greetings/check-greetings.ts';
import { greetingLibrary, type GreetingLibrary } from './greetings/rules.ts';
import { greetingsForFlow } from './greetings/store.ts';
import { engineRoute } from './rules.ts';
import { clockOf } from './schedules/company-clock.ts';
import { menuRow } from './store.ts';
import { numbersLeadingTo, peopleOf } from './store-references.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** What only the host of a call knows, or what to use instead of the stored configuration. */
export interface FlowContext {
  /** Why the caller is rejected (block list, spam screening); null = not rejected. */
  blocked?: string | null;
  /** Why the call is answered busy; null = within the limit. */
  full?: string | null;
  /** How many of the company's numbers already forwarded this call. */
  hops?: number;
  /** Where the caller came from, told to who answers; null or absent = not told. */
  sourceWhisper?: string | null;
  /** The caller has to press 1 first; absent: not. */
  pressOne?: boolean;
  /** The US state of the other party's number; null or absent = unknown. */
  partyState?: string | null;
  /** Users whose app can ring; absent = asks the registered provider (`provideCallingPresence`). */
  reachable?: ReadonlySet<number>;
  /** Instead of the stored routes: unsaved ones of the editor. */
  routes?: readonly routing.Route[];
  /** Instead of the stored menu. */
  menu?: routing.NumberWithRoutes['menu'];
}

/**
 * The number whose settings a rotated number uses until it returns to the carrier (A6.2): the last
 * of the chain if that was rotated, too. undefined: not rotated.
 */
async function successorNumber(
  ctx: TxCtx,
  called: NumberSummary,
): Promise<NumberSummary | undefined> {
  const seen = new Set([called.id]);
  let last: NumberSummary | undefined;
  let current: NumberSummary | undefined = called;
  while (current?.rotated && current.status === 'releasing' && ctx.now < current.rotated.until) {
    const next: number = current.rotated.to;
    if (seen.has(next)) break;
    seen.add(next);
    current = await readNumber(ctx.tx, ctx.companyId, next);
    last = current ?? last;
  }
  return last;
}

/**
 * The flow a call starts with, from the stored configuration or what `context` gives instead. Reads
 * only; throws not_found for an unknown number.
 */
export async function buildFlow(
  ctx: TxCtx,
  numberId: number,
  context: FlowContext = {},
): Promise<Flow> {
  const { tx, companyId } = ctx;
  const called = (await readNumber(tx, companyId, numberId)) ?? notFound();
  const successor = await successorNumber(ctx, called);
  const number = successor
    ? { ...successor, id: called.id, number: called.number, label: called.label }
    : called;
  const company = (await companyRow(tx, companyId)) ?? notFound();
  const settingsId = successor?.id ?? numberId;
  const routes = context.routes ?? (await routesOf(tx, companyId, settingsId));
  const menu = context.menu ?? presentMenu(await menuRow(tx, companyId, settingsId));
  const { clock, library, contacts, teams, people } = await loadReferences(ctx, {
    number,
    company,
    routes,
    menu,
    reachable: context.reachable,
  });
  const hours =
    number.schedule_id === null ? null : (clock.schedules.get(number.schedule_id) ?? null);
  const compileContext = { clock, library, contacts, teams, hours };
  const config: NumberConfig = {
    company: { id: companyId, name: company.name },
    number: { id: number.id, number: number.number, label: number.label },
    service: serviceState(number.status, company.status),
    blocked: context.blocked ?? null,
    full: context.full ?? null,
    hops: context.hops ?? 0,
    sourceWhisper: context.sourceWhisper ?? undefined,
    loops: await numbersLeadingTo(tx, companyId, number.number),
    routes: routes.map((route) => engineRoute(route, routes, compileContext)),
    menuFallback: menuFallback(menu.fallback, routes),
    record: number.record,
    people,
    screening: context.pressOne ?? false,
    ...promptsOf(number, routes, menu, library),
    recordingAnnouncement: announcementOf(number, library, {
      settings: company.settings,
      partyState: context.partyState ?? null,
    }),
  };
  return compileFlow(config);
}

type MenuSettings = routing.NumberWithRoutes['menu'];

/** Everything the number, its routes and its menu refer to. */
async function loadReferences(
  ctx: TxCtx,
  source: {
    number: NumberSummary;
    company: { timezone: string; settings: unknown };
    routes: readonly routing.Route[];
    menu: MenuSettings;
    reachable: ReadonlySet<number> | undefined;
  },
) {
  const { tx, companyId } = ctx;
  const { number, routes, menu } = source;
  const contacts = await contactDestinations(tx, companyId, [
    ...new Set(routes.flatMap((route) => route.forwards.flatMap((one) => one.contact_id ?? []))),
  ]);
  const clock = await clockOf(ctx, source.company);
  const presence: CallingPresence | null = source.reachable
    ? { reachable: source.reachable, doNotDisturb: new Map() }
    : await callingPresenceNow(ctx);
  const people = (await peopleOf(ctx.db.unscoped, companyId, number.id)).map((person) => ({
    userId: person.id,
    name: person.name,
    excluded: person.excluded,
    reachable: person.callable && (presence === null || presence.reachable.has(person.id)),
    hours: clock.people.get(person.id) ?? null,
    ...(presence?.doNotDisturb.has(person.id) && {
      doNotDisturb: { until: presence.doNotDisturb.get(person.id)?.getTime() ?? null },
    }),
  }));
  const teams = await activeTeams(tx, companyId, routes, new Set(people.map((one) => one.userId)));
  const greetings = await greetingsForFlow(tx, companyId, [
    ...greetingIdsOfRoutes(routes),
    ...Object.values(number.greetings).flatMap((id) => id ?? []),
    ...(menu.greeting_id ? [menu.greeting_id] : []),
  ]);
  return { contacts, teams, clock, people, library: greetingLibrary(companyId, greetings) };
}

/** The teams that routes name, with those of their people who are active in the company. */
async function activeTeams(
  tx: TxCtx['tx'],
  companyId: number,
  routes: readonly routing.Route[],
  active: ReadonlySet<number>,
): Promise<Map<number, TeamWithPeople>> {
  const ids = routes.flatMap((route) => route.forwards.flatMap((one) => one.team_id ?? []));
  const teams = await teamsById(tx, companyId, [...new Set(ids)]);
  return new Map(
    [...teams].map(([id, team]) => [
      id,
      { ...team, userIds: team.userIds.filter((userId) => active.has(userId)) },
    ]),
  );
}

/** What callers hear: a named greeting, else text that is spoken, else the library's default. */
function promptsOf(
  number: NumberSummary,
  routes: readonly routing.Route[],
  menu: MenuSettings,
  library: GreetingLibrary,
) {
  return {
    welcome: library.byId(number.greetings.welcome) ?? library.defaultOf('welcome'),
    closed: library.defaultOf('after_hours'),
    musicFiles: Object.fromEntries(
      routes.flatMap(({ onhold_music_id: music }) => {
        const file = library.music(music);
        return music === null || file === null ? [] : [[music, file]];
      }),
    ),
    menuGreeting: library.byId(menu.greeting_id) ?? spokenPrompts(menu.greeting),
    voicemail: {
      enabled: number.voicemail.enabled,
      greeting:
        library.byId(number.greetings.voicemail) ??
        spokenPrompts(number.voicemail.greeting) ??
        library.defaultOf('voicemail'),
    },
  };
}

const spokenPrompts = (text: string | null): Prompt[] | null =>
  text ? [{ kind: 'say', text }] : null;

/** From the number's status (A6.1) and the account's (A5.2: 0 active, 1 parked, 2 deactivated). */
function serviceState(number: string, company: number): Flow['service'] {
  if (company === 2 || number === 'releasing' || number === 'released' || number === 'pending')
    return 'notInService';
  return company === 1 || number === 'parked' || number === 'suspended' ? 'parked' : 'active';
}

function menuFallback(
  stored: 'voicemail' | number | null,
  routes: readonly routing.Route[],
): NumberConfig['menuFallback'] {
  if (stored === null || stored === 'voicemail') return stored;
  return routes.find((route) => route.extension === stored)?.id ?? null;
}
