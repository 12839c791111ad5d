import type { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import type { Prompt } from '../../ports/voice.ts';
import { companyRow } from '../companies/index.ts';
import { readNumber, whereContactsLead, type NumberInShort } from '../numbers/index.ts';
import { compileFlow, type Flow, type NumberConfig } from './engine/index.ts';
import { presentMenu } from './present.ts';
import { reachableNow } from './reachable.ts';
import { routesOf } from './routes-of.ts';
import { idsOfRoutes } from './greetings/check-greetings.ts';
import { shelfOf } from './greetings/rules.ts';
import { greetingsForFlow } from './greetings/store.ts';
import { engineRoute } from './rules.ts';
import { clockOf } from './schedules/clock.ts';
import { menuRow, numbersLeadingTo, peopleOf } from './store.ts';

/** What the host of a live call knows and routing does not. */
export interface FlowCircumstances {
  /** Why this caller is refused (block list, spam screen); null = welcome. */
  blocked?: string | null;
  /** Why no further call is taken; null = there is room. */
  full?: string | null;
  /** Company numbers this call already came through. */
  hops?: number;
  /** Users whose app can ring; left out = asked of whoever knows (`answerReachable`). */
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
async function tookItsPlace(ctx: TxCtx, called: NumberInShort): Promise<NumberInShort | undefined> {
  const seen = new Set([called.id]);
  let last: NumberInShort | undefined;
  for (
    let at: NumberInShort | undefined = called;
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
export async function flowFor(
  ctx: TxCtx,
  numberId: number,
  about: FlowCircumstances = {},
): Promise<Flow> {
  const { tx, companyId } = ctx;
  const called = (await readNumber(tx, companyId, numberId)) ?? missing();
  const next = await tookItsPlace(ctx, called);
  const number = next
    ? { ...next, id: called.id, number: called.number, label: called.label }
    : called;
  const settingsOf = next?.id ?? numberId;
  const company = (await companyRow(tx, companyId)) ?? missing();
  const routes = about.routes ?? (await routesOf(tx, companyId, settingsOf));
  const contacts = await whereContactsLead(tx, companyId, [
    ...new Set(routes.flatMap((route) => route.forwards.flatMap((one) => one.contact_id ?? []))),
  ]);
  const clock = await clockOf(ctx, company.timezone);
  const menu = about.menu ?? presentMenu(await menuRow(tx, companyId, settingsOf));
  const reachable = about.reachable ?? (await reachableNow(ctx));
  const people = await peopleOf(ctx.db.directory, companyId);
  const shelf = shelfOf(
    companyId,
    await greetingsForFlow(tx, companyId, [
      ...idsOfRoutes(routes),
      ...Object.values(number.greetings).flatMap((id) => id ?? []),
      ...(menu.greeting_id ? [menu.greeting_id] : []),
    ]),
  );
  const surroundings = {
    clock,
    shelf,
    contacts,
    hours: number.schedule_id === null ? null : (clock.schedules.get(number.schedule_id) ?? null),
  };
  const config: NumberConfig = {
    company: { id: companyId, name: company.name },
    number: { id: number.id, number: number.number, label: number.label },
    service: serviceOf(number.status, company.status),
    blocked: about.blocked ?? null,
    full: about.full ?? null,
    hops: about.hops ?? 0,
    loops: await numbersLeadingTo(tx, companyId, number.number),
    routes: routes.map((route) => engineRoute(route, routes, surroundings)),
    welcome: shelf.named(number.greetings.welcome) ?? shelf.usual('welcome'),
    closed: shelf.usual('after_hours'),
    musicFiles: Object.fromEntries(
      routes.flatMap(({ onhold_music_id: music }) => {
        const file = shelf.music(music);
        return music === null || file === null ? [] : [[music, file]];
      }),
    ),
    menuGreeting: shelf.named(menu.greeting_id) ?? wordsOf(menu.greeting),
    menuFallback: fallbackOf(menu.fallback, routes),
    voicemail: {
      enabled: number.voicemail.enabled,
      greeting:
        shelf.named(number.greetings.voicemail) ??
        wordsOf(number.voicemail.greeting) ??
        shelf.usual('voicemail'),
    },
    record: number.record,
    recordingAnnouncement: announcementOf(
      number.recording_announcement,
      shelf.named(number.greetings.recording_announcement),
      shelf.usual('recording_notice'),
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

const wordsOf = (text: string | null): Prompt[] | null => (text ? [{ kind: 'say', text }] : null);

/** `none`, or a greeting, or words; `default` is the company's usual notice, else ours. */
function announcementOf(
  stored: string,
  named: Prompt[] | null,
  usual: Prompt[] | null,
): NumberConfig['recordingAnnouncement'] {
  if (stored === 'none') return 'none';
  if (named !== null) return named;
  return stored === 'default' ? (usual ?? 'default') : [{ kind: 'say', text: stored }];
}

/** A5.2 account status: active 0, parked 1, deactivated 2; A6.1 number status. */
function serviceOf(number: string, company: number): Flow['service'] {
  if (company === 2 || number === 'releasing' || number === 'released' || number === 'pending')
    return 'notInService';
  return company === 1 || number === 'parked' || number === 'suspended' ? 'parked' : 'active';
}

function fallbackOf(
  stored: 'voicemail' | number | null,
  routes: readonly routing.Route[],
): NumberConfig['menuFallback'] {
  if (stored === null || stored === 'voicemail') return stored;
  return routes.find((route) => route.extension === stored)?.id ?? null;
}
