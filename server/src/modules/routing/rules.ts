/** Converts routing settings of the API to those of the engine. Pure. */
import type { routing } from '#contract';
import type { Prompt } from '../../gateways/voice.ts';
import type { TeamWithPeople } from '../companies/index.ts';
import type { AfterHours, Forward, Route } from './engine/index.ts';
import { mostSpecificFirst } from '#contract/routing/schedules/rules';
import { companyBlocks, type Hours, type HoursBlock } from './engine/hours.ts';
import type { GreetingLibrary } from './greetings/rules.ts';
import type { CompanyClock } from './schedules/company-clock.ts';

type Wire = routing.Route;
type WireHours = routing.HoursShape;

/** Hours as the engine reads them; preset 6 refers to the company's hours. null = always open. */
function engineHours(hours: WireHours | null, clock: CompanyClock): Hours | null {
  if (hours === null) return null;
  const own = hours.preset === 6;
  return {
    timezone: own ? clock.timezone : (hours.timezone ?? clock.timezone),
    preset: hours.preset,
    blocks: own ? companyBlocks(clock.hours) : (hours.blocks as HoursBlock[]),
    exceptions: [
      ...mostSpecificFirst(hours.exceptions),
      ...(own ? [...mostSpecificFirst(clock.exceptions), ...clock.holidays] : []),
    ],
    voicemail: hours.voicemail || (own && clock.voicemail),
  };
}

const spokenPrompts = (text: string | null): Prompt[] | null =>
  text === null || text.trim() === '' ? null : [{ kind: 'say', text }];

/** Seconds between legs of a staggered simultaneous route (A7.1). */
const staggerSeconds = 5;

/** What the routes of a number refer to. */
interface CompileContext {
  clock: CompanyClock;
  library: GreetingLibrary;
  contacts: ReadonlyMap<number, ForwardContactTarget>;
  teams: ReadonlyMap<number, TeamWithPeople>;
  /** The number's schedule, for routes without their own hours. */
  hours: Hours | null;
}

/** A route as the engine runs it. `siblings`: the number's routes, for after-hours routing. */
export function engineRoute(
  route: Wire,
  siblings: readonly Wire[],
  { clock, library: shelf, contacts, teams, hours }: CompileContext,
): Route {
  return {
    id: route.id,
    extension: route.extension,
    label: route.label,
    type: route.type,
    forwards: route.forwards.map((one) => engineForward(one, { clock, contacts, teams })),
    hours: engineHours(route.business_hours, clock) ?? hours,
    staggerSeconds: route.stagger ? staggerSeconds : null,
    roundRobin: route.round_robin,
    holdMusicId: route.onhold_music_id,
    callerIdPassThru: route.caller_id_pass_thru,
    confirmKey: route.confirm_key === false ? null : String(route.confirm_key),
    confirmWaitSeconds: route.confirm_key_wait,
    whisper: route.confirm_whisper,
    timeoutSeconds: route.timeout,
    geoByState: route.geo_by_state_enabled,
    geoByStateStaticFallback: route.geo_by_state_static_fallback,
    emailAlertAddresses: route.email_alert_address,
    voicemail: {
      enabled: route.voicemail_enabled,
      greeting: shelf.byId(route.voicemail_greeting_id) ?? spokenPrompts(route.voicemail_greeting),
    },
    afterHours: engineAfterHours(route, siblings, shelf),
  };
}

/** A forwarding contact's destination and its own settings (A6.6). */
interface ForwardContactTarget {
  name: string;
  number: string | null;
  user_id: number | null;
  extension: string | null;
  caller_id_pass_thru: boolean;
  confirm_key: string | null;
  schedule_id: number | null;
  timezone: string | null;
}

function engineForward(
  forward: Wire['forwards'][number],
  { clock, contacts, teams }: Pick<CompileContext, 'clock' | 'contacts' | 'teams'>,
): Forward {
  const contact = forward.contact_id === null ? undefined : contacts.get(forward.contact_id);
  const team = forward.team_id === null ? undefined : teams.get(forward.team_id);
  const itself: Forward = {
    id: forward.id,
    number: contact ? contact.number : forward.number,
    userId: contact ? contact.user_id : forward.user_id,
    label: forward.label || (contact?.name ?? ''),
    weight: forward.weight,
    timeoutSeconds: forward.timeout,
    hours: engineHours(forward.schedule, clock) ?? hoursOfContact(contact, clock),
    areaCodes: forward.area_codes,
    states: forward.states,
    callerId: forward.caller_id ?? (contact && !contact.caller_id_pass_thru ? 'tracking' : null),
    customCallerId: forward.custom_caller_id,
    ...(contact?.confirm_key ? { confirmKey: contact.confirm_key } : {}),
    ...(contact?.extension ? { digits: contact.extension } : {}),
  };
  if (forward.team_id === null) return itself;
  return {
    ...itself,
    label: team?.name ?? forward.label,
    team: {
      id: forward.team_id,
      members: (team?.userIds ?? []).map((userId) => ({ ...itself, userId, label: '' })),
    },
  };
}

/** A forwarding contact's schedule, in the contact's time zone if it has one. */
function hoursOfContact(
  contact: ForwardContactTarget | undefined,
  clock: CompanyClock,
): Hours | null {
  const hours = contact?.schedule_id ? (clock.schedules.get(contact.schedule_id) ?? null) : null;
  return hours !== null && contact?.timezone ? { ...hours, timezone: contact.timezone } : hours;
}

function engineAfterHours(
  route: Wire,
  siblings: readonly Wire[],
  shelf: GreetingLibrary,
): AfterHours | null {
  const action = route.after_hours;
  if (action === null) return null;
  switch (action.action) {
    case 'voicemail':
      return { action: 'voicemail' };
    case 'forward':
      return { action: 'forward', number: String(action.target) };
    case 'greeting':
      // A deleted greeting falls back to the default closed message.
      if (typeof action.target === 'number')
        return { action: 'greeting', prompts: shelf.byId(action.target) ?? [] };
      return { action: 'greeting', prompts: [{ kind: 'say', text: String(action.target) }] };
    case 'route': {
      const other = siblings.find((one) => one.extension === Number(action.target));
      return other === undefined ? null : { action: 'route', routeId: other.id };
    }
  }
}

/**
 * A number's routing for lists: type (B §3: default standard) and number of its first route. The
 * number is null when the first route rings no number.
 */
export function routingSummary(routes: readonly Pick<Wire, 'type' | 'forwards'>[]): {
  routingType: Wire['type'];
  forwardNumber: string | null;
} {
  const first = routes[0];
  return {
    routingType: first?.type ?? 'standard',
    forwardNumber: first?.forwards.find((one) => one.number !== null)?.number ?? null,
  };
}
