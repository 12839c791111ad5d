import type { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { Prompt } from '../../gateways/voice.ts';
import { companyRow } from '../companies/index.ts';
import { readNumber, contactDestinations, type NumberSummary } from '../numbers/index.ts';
import { compileFlow, type Flow, type NumberConfig } from './engine/index.ts';
import { presentMenu } from './present.ts';
import { reachableNow } from './reachable-users.ts';
import { routesOf } from './routes-of.ts';
import { greetingIdsOfRoutes } from './greetings/check-greetings.ts';
import { greetingLibrary } from './greetings/rules.ts';
import { greetingsForFlow } from './greetings/store.ts';
import { engineRoute } from './rules.ts';
import { clockOf } from './schedules/company-clock.ts';
import { menuRow, numbersLeadingTo, peopleOf } from './store.ts';

/** What the host of a live call knows and routing does not. */
export interface FlowContext {
  /** Why this caller is refused (block list, spam screen); null = welcome. */
  blocked?: string | null;
  /** Why no further call is taken; null = there is room. */
  full?: string | null;
  /** Company numbers this call already came through. */
  hops?: number;
  /** Users whose app can ring; left out = asked of whoever knows (`provideReachableUsers`). */
  reachable?: ReadonlySet<number>;
  /** Instead of the stored routes: what the editor shows and has not saved. */
  routes?: readonly routing.Route[];
  /** Likewise, instead of the stored menu. */
  menu?: routing.NumberWithRoutes['menu'];
}

/**
 * An exchanged number answers as the one that took its place, until it goes back to the carrier (A6.2); when that one was
 * exchanged, too, as the last of the chain. Undefined: it was not exchanged.
 */
async function successorNumber(
  ctx: TxCtx,
  called: NumberSummary,
): Promise<NumberSummary | undefined> {
  const seen = new Set([called.id]);
  let last: NumberSummary | undefined;
  for (
    let at: NumberSummary | undefined = called;
    at?.rotated &&
    at.status === 'releasing' &&
    ctx.now < at.rotated.until &&
    !seen.has(at.rotated.to);
  ) {
    seen.add(at.rotated.to);
    at = await readNumber(ctx.tx, ctx.companyId, at.rotated.to);
    last = at ?? last;
  }
  return last;
}

/** The frozen picture of a number's configuration that a call starts with. Reads only. */
export async function buildFlow(
  ctx: TxCtx,
  numberId: number,
  context: FlowContext = {},
): Promise<Flow> {
  const { tx, companyId } = ctx;
  const called = (await readNumber(tx, companyId, numberId)) ?? notFound();
  const next = await successorNumber(ctx, called);
  const number = next
    ? { ...next, id: called.id, number: called.number, label: called.label }
    : called;
  const settingsOf = next?.id ?? numberId;
  const company = (await companyRow(tx, companyId)) ?? notFound();
  const routes = context.routes ?? (await routesOf(tx, companyId, settingsOf));
  const contacts = await contactDestinations(tx, companyId, [
    ...new Set(routes.flatMap((route) => route.forwards.flatMap((one) => one.contact_id ?? []))),
  ]);
  const clock = await clockOf(ctx, company.timezone);
  const menu = context.menu ?? presentMenu(await menuRow(tx, companyId, settingsOf));
  const reachable = context.reachable ?? (await reachableNow(ctx));
  const people = await peopleOf(ctx.db.unscoped, companyId);
  const library = greetingLibrary(
    companyId,
    await greetingsForFlow(tx, companyId, [
      ...greetingIdsOfRoutes(routes),
      ...Object.values(number.greetings).flatMap((id) => id ?? []),
      ...(menu.greeting_id ? [menu.greeting_id] : []),
    ]),
  );
  const compileContext = {
    clock,
    library,
    contacts,
    hours: number.schedule_id === null ? null : (clock.schedules.get(number.schedule_id) ?? null),
  };
  const config: NumberConfig = {
    company: { id: companyId, name: company.name },
    number: { id: number.id, number: number.number, label: number.label },
    service: serviceState(number.status, company.status),
    blocked: context.blocked ?? null,
    full: context.full ?? null,
    hops: context.hops ?? 0,
    loops: await numbersLeadingTo(tx, companyId, number.number),
    routes: routes.map((route) => engineRoute(route, routes, compileContext)),
    welcome: library.byId(number.greetings.welcome) ?? library.defaultOf('welcome'),
    closed: library.defaultOf('after_hours'),
    musicFiles: Object.fromEntries(
      routes.flatMap(({ onhold_music_id: music }) => {
        const file = library.music(music);
        return music === null || file === null ? [] : [[music, file]];
      }),
    ),
    menuGreeting: library.byId(menu.greeting_id) ?? spokenPrompts(menu.greeting),
    menuFallback: menuFallback(menu.fallback, routes),
    voicemail: {
      enabled: number.voicemail.enabled,
      greeting:
        library.byId(number.greetings.voicemail) ??
        spokenPrompts(number.voicemail.greeting) ??
        library.defaultOf('voicemail'),
    },
    record: number.record,
    recordingAnnouncement: announcementPrompts(
      number.recording_announcement,
      library.byId(number.greetings.recording_announcement),
      library.defaultOf('recording_notice'),
    ),
    people: people.map((person) => ({
      userId: person.id,
      name: person.name,
      reachable: person.callable && (reachable === null || reachable.has(person.id)),
      hours: clock.people.get(person.id) ?? null,
    })),
  };
  return compileFlow(config);
}

const spokenPrompts = (text: string | null): Prompt[] | null =>
  text ? [{ kind: 'say', text }] : null;

/** `none`, or a greeting, or words; `default` is the company's usual notice, else ours. */
function announcementPrompts(
  stored: string,
  named: Prompt[] | null,
  usual: Prompt[] | null,
): NumberConfig['recordingAnnouncement'] {
  if (stored === 'none') return 'none';
  if (named !== null) return named;
  return stored === 'default' ? (usual ?? 'default') : [{ kind: 'say', text: stored }];
}

/** A5.2 account status: active 0, parked 1, deactivated 2; A6.1 number status. */
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
