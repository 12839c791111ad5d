/** Decisions of routing that need no database: wire ↔ engine, pure. */
import type { routing } from '#contract';
import type { Prompt } from '../../ports/voice.ts';
import type { AfterHours, Forward, Route } from './engine/index.ts';
import { companyBlocks, type CompanyHours, type Hours, type HoursBlock, type HoursException } from './engine/hours.ts';

type Wire = routing.Route;
type WireHours = routing.HoursShape;

/** What presets and time zones of routes refer to. */
export interface CompanyClock {
  timezone: string;
  hours: CompanyHours;
  exceptions: HoursException[];
}

/** B §4 preset 2: where a company has said nothing, Business Hours means Monday to Friday, nine to five. */
export const usualHours: CompanyHours = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri'].flatMap((day) => [[`${day}_open_hour`, '09:00'], [`${day}_close_hour`, '17:00']]),
) as CompanyHours;

export function engineHours(hours: WireHours | null, clock: CompanyClock): Hours | null {
  if (hours === null) return null;
  const own = hours.preset === 6;
  return {
    timezone: own ? clock.timezone : (hours.timezone ?? clock.timezone),
    preset: hours.preset,
    blocks: own ? companyBlocks(clock.hours) : (hours.blocks as HoursBlock[]),
    exceptions: own ? [...hours.exceptions, ...clock.exceptions] : hours.exceptions,
    voicemail: hours.voicemail,
  };
}

const words = (text: string | null): Prompt[] | null => (text === null || text.trim() === '' ? null : [{ kind: 'say', text }]);

/** A simultaneous route with stagger waits this long between legs (A7.1). */
const staggerSeconds = 5;

export function engineRoute(route: Wire, siblings: readonly Wire[], clock: CompanyClock): Route {
  return {
    id: route.id,
    extension: route.extension,
    label: route.label,
    type: route.type,
    forwards: route.forwards.map((one) => engineForward(one, clock)),
    hours: engineHours(route.business_hours, clock),
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
    voicemail: { enabled: route.voicemail_enabled, greeting: words(route.voicemail_greeting) },
    afterHours: engineAfterHours(route, siblings),
  };
}

function engineForward(forward: Wire['forwards'][number], clock: CompanyClock): Forward {
  return {
    id: forward.id,
    number: forward.number,
    userId: forward.user_id,
    label: forward.label,
    weight: forward.weight,
    timeoutSeconds: forward.timeout,
    hours: engineHours(forward.schedule, clock),
    areaCodes: forward.area_codes,
    states: forward.states,
    callerId: forward.caller_id,
    customCallerId: forward.custom_caller_id,
  };
}

function engineAfterHours(route: Wire, siblings: readonly Wire[]): AfterHours | null {
  const action = route.after_hours;
  if (action === null) return null;
  switch (action.action) {
    case 'voicemail':
      return { action: 'voicemail' };
    case 'forward':
      return { action: 'forward', number: String(action.target) };
    case 'greeting':
      return { action: 'greeting', prompts: [{ kind: 'say', text: String(action.target) }] };
    case 'route': {
      const other = siblings.find((one) => one.extension === Number(action.target));
      return other === undefined ? null : { action: 'route', routeId: other.id };
    }
  }
}

/** A number's routing in two words for lists: the first route's type (standard by default, B §3) and first destination. */
export function routingInShort(routes: readonly Pick<Wire, 'type' | 'forwards'>[]): { routingType: Wire['type']; forwardNumber: string | null } {
  const first = routes[0];
  return { routingType: first?.type ?? 'standard', forwardNumber: first?.forwards.find((one) => one.number !== null)?.number ?? null };
}
