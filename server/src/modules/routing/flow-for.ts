import type { routing } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { companyRow } from '../companies/index.ts';
import { readNumber } from '../numbers/index.ts';
import { compileFlow, type Flow, type NumberConfig } from './engine/index.ts';
import type { CompanyHours, HoursException } from './engine/hours.ts';
import { reachableNow } from './reachable.ts';
import { routesOf } from './routes-of.ts';
import { engineRoute, usualHours, type CompanyClock } from './rules.ts';
import { companySchedule, menuRow, numbersLeadingTo, peopleOf } from './store.ts';

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
}

/** The frozen picture of a number's configuration that a call starts with. Reads only. */
export async function flowFor(ctx: TxCtx, numberId: number, about: FlowCircumstances = {}): Promise<Flow> {
  const { tx, companyId } = ctx;
  const number = (await readNumber(tx, companyId, numberId)) ?? missing();
  const company = (await companyRow(tx, companyId)) ?? missing();
  const routes = about.routes ?? (await routesOf(tx, companyId, numberId));
  const clock = await clockOf(ctx, company.timezone);
  const menu = await menuRow(tx, companyId, numberId);
  const reachable = about.reachable ?? (await reachableNow(ctx));
  const people = await peopleOf(ctx.db.directory, companyId);
  const announced = number.recording_announcement;
  const config: NumberConfig = {
    company: { id: companyId, name: company.name },
    number: { id: number.id, number: number.number, label: number.label },
    service: serviceOf(number.status, company.status),
    blocked: about.blocked ?? null,
    full: about.full ?? null,
    hops: about.hops ?? 0,
    loops: await numbersLeadingTo(tx, companyId, number.number),
    routes: routes.map((route) => engineRoute(route, routes, clock)),
    menuGreeting: menu?.greeting ? [{ kind: 'say', text: menu.greeting }] : null,
    menuFallback: fallbackOf(menu?.fallback ?? null, routes),
    voicemail: { enabled: number.voicemail.enabled, greeting: number.voicemail.greeting ? [{ kind: 'say', text: number.voicemail.greeting }] : null },
    record: number.record,
    recordingAnnouncement: announced === 'none' || announced === 'default' ? announced : [{ kind: 'say', text: announced }],
    people: people.map((person) => ({ userId: person.id, name: person.name, reachable: person.callable && (reachable === null || reachable.has(person.id)) })),
  };
  return compileFlow(config);
}

async function clockOf(ctx: TxCtx, timezone: string): Promise<CompanyClock> {
  const schedule = await companySchedule(ctx.tx, ctx.companyId);
  if (schedule === undefined) return { timezone, hours: usualHours, exceptions: [] };
  return { timezone: schedule.timezone, hours: schedule.hours as CompanyHours, exceptions: schedule.exceptions as HoursException[] };
}

/** A5.2 account status: active 0, parked 1, deactivated 2; A6.1 number status. */
function serviceOf(number: string, company: number): Flow['service'] {
  if (company === 2 || number === 'releasing' || number === 'released' || number === 'pending') return 'notInService';
  return company === 1 || number === 'parked' || number === 'suspended' ? 'parked' : 'active';
}

function fallbackOf(stored: string | null, routes: readonly routing.Route[]): NumberConfig['menuFallback'] {
  if (stored === null || stored === 'voicemail') return stored;
  return routes.find((route) => route.extension === Number(stored))?.id ?? null;
}
