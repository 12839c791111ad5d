import type { Ctx } from '../../../platform/context.ts';
import {} from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { partyName } from '#contract/party';
import { liveFacts } from './rules.ts';
import type { LiveCallRow } from './store.ts';

const iso = (at: Date | number) => new Date(at).toISOString();

/** A running call as the live board shows it. */
export function presentLive(ctx: Ctx, row: LiveCallRow): LiveCall {
  const outside = row.contact_name || row.caller_name || partyName(row.party, 'Withheld number');
  const facts = liveFacts(row.state, outside);
  return {
    id: row.id,
    company_id: row.company_id,
    number: { id: row.number_id, number: row.number, label: row.number_label },
    outbound: row.outbound ? 1 : 0,
    party: row.party,
    contact: row.contact_id ? { id: row.contact_id, name: row.contact_name ?? '' } : null,
    caller_name: row.caller_name,
    state: facts.state,
    since: iso(facts.sinceMs),
    started_at: iso(row.started_at),
    answered_at: row.answered_at ? iso(row.answered_at) : null,
    route: facts.route,
    people: facts.people.map((one) =>
      one.role === 'outside' ? { ...one, number: row.party } : one,
    ),
    slot: facts.slot,
    parked_by: facts.parkedBy,
    parked_until: facts.parkedUntilMs === null ? null : iso(facts.parkedUntilMs),
    recording: facts.recording,
    monitors: ctx.may('calls.monitor') === 'none' ? [] : facts.monitors,
    rooms: supportsRooms(ctx, row.carrier),
  };
}

/** Whether the call's carrier supports conference rooms. */
export function supportsRooms(ctx: Pick<Ctx, 'gateways'>, carrier: string): boolean {
  try {
    return ctx.gateways.carriers.voice(carrier).capabilities.rooms === true;
  } catch {
    // The carrier is no longer connected.
    return false;
  }
}
