import { routing } from '#contract';
import type { TeamWithPeople } from '../companies/index.ts';
import type { ContactDestination } from '../numbers/index.ts';
import type { ForwardRow, RouteRow } from './store.ts';

const hoursOf = (stored: unknown): routing.HoursShape | null =>
  stored === null ? null : routing.hours.parse(stored);

/** A route as the API shows it. */
export function presentRoute(
  row: RouteRow,
  forwards: readonly ForwardRow[],
  contacts: ReadonlyMap<number, ContactDestination>,
  teams: ReadonlyMap<number, TeamWithPeople>,
): routing.Route {
  const key = row.confirm_key;
  return {
    id: row.id,
    extension: row.extension,
    label: row.label,
    type: row.type as routing.Route['type'],
    forwards: forwards.map((one) => presentForward(one, contacts, teams)),
    business_hours: hoursOf(row.business_hours),
    stagger: row.stagger,
    caller_id_pass_thru: row.caller_id_pass_thru,
    confirm_key:
      key === null ? false : routing.confirmKey.parse(key.length > 1 ? Number(key) : key),
    confirm_key_wait: row.confirm_key_wait_seconds,
    timeout: row.timeout_seconds,
    onhold_music_id: row.onhold_music_id,
    geo_by_state_enabled: row.geo_by_state_enabled,
    geo_by_state_static_fallback: row.geo_by_state_static_fallback,
    confirm_whisper: row.confirm_whisper,
    email_alert_address: row.email_alert_addresses,
    voicemail_enabled: row.voicemail_enabled,
    voicemail_greeting_id: row.voicemail_greeting_id,
    voicemail_greeting: row.voicemail_greeting,
    round_robin: row.round_robin as routing.Route['round_robin'],
    after_hours: row.after_hours as routing.Route['after_hours'],
    max_attempts: 1,
  };
}

/** A destination; a forwarding contact is shown with its current name and number. */
function presentForward(
  row: ForwardRow,
  contacts: ReadonlyMap<number, ContactDestination>,
  teams: ReadonlyMap<number, TeamWithPeople>,
): routing.Route['forwards'][number] {
  const contact = row.contact_id === null ? undefined : contacts.get(row.contact_id);
  return {
    id: row.id,
    label: row.label || (contact?.name ?? teams.get(row.team_id ?? 0)?.name ?? ''),
    number: contact ? contact.number : row.phone,
    contact_id: contact?.id ?? row.contact_id,
    user_id: contact ? contact.user_id : row.user_id,
    team_id: row.team_id,
    weight: row.weight,
    timeout: row.timeout_seconds,
    schedule: hoursOf(row.business_hours),
    area_codes: row.area_codes,
    states: row.states,
    order: row.position,
    caller_id: row.caller_id as routing.Route['forwards'][number]['caller_id'],
    custom_caller_id: row.custom_caller_id,
  };
}

/** A menu as the API shows it; without a row the defaults. */
export function presentMenu(
  row: { greeting: string | null; greeting_id: number | null; fallback: string | null } | undefined,
): routing.NumberWithRoutes['menu'] {
  const fallback = row?.fallback ?? null;
  return {
    greeting: row?.greeting ?? null,
    greeting_id: row?.greeting_id ?? null,
    fallback: fallback === null ? null : fallback === 'voicemail' ? 'voicemail' : Number(fallback),
  };
}
