/** Decisions about calls, pure. */
import { calls as contract } from '#contract';
import type { CallState, Leg } from '../routing/index.ts';
import type { CallRow } from './records/store.ts';

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

/** The columns of the call record that follow from the engine's state. */
export function recordFields(state: CallState) {
  const f = state.facts;
  const status = (state.outcome?.status ?? f.status) as contract.CallStatus;
  return {
    status: status as number,
    outcome: contract.outcomeOfStatus[status] as number,
    because: state.outcome?.because ?? null,
    abandoned: f.abandoned as string | null,
    started_at: new Date(f.startedAt),
    ringing_at: toDate(f.ringingAt),
    answered_at: toDate(f.answeredAt),
    connected_at: toDate(f.connectedAt),
    ended_at: toDate(f.endedAt),
    ring_seconds: f.ringSeconds,
    talk_seconds: f.talkSeconds,
    duration_seconds: f.endedAt === null ? 0 : Math.round((f.endedAt - f.startedAt) / 1000),
    answered_by: f.answeredBy,
    answered_user_id:
      f.answeredBy?.type === 'user' || f.answeredBy?.type === 'app' ? f.answeredBy.id : null,
    route_id: f.routeId,
    extension: f.extension,
    extension_label: f.extensionLabel,
    alert_emails: f.emailAlertAddresses,
  };
}

/** The name shown for a leg. */
export const legLabel = (leg: Leg, row: Pick<CallRow, 'caller_name' | 'party'>): string =>
  leg.target?.label ||
  (leg.role === 'caller' ? row.caller_name || row.party : (leg.target?.key ?? leg.role));

/**
 * Minutes a carrier bills: full minutes, rounded up, from the answer (by a person or voicemail).
 */
export function billableMinutes(
  row: Pick<CallRow, 'outcome' | 'talk_seconds' | 'duration_seconds' | 'ring_seconds'>,
): number {
  if (row.outcome === 1) return Math.ceil(row.talk_seconds / 60);
  if (row.outcome !== 3) return 0;
  return Math.ceil(Math.max(0, row.duration_seconds - row.ring_seconds) / 60);
}

/** The speaker of each channel (A §4: 0 unknown, 1 agent, 2 client); the first leg is channel 0. */
export function speakersOf(
  state: Pick<CallState, 'kind'>,
  kind: 'call' | 'voicemail',
  channels: 1 | 2,
): (0 | 1 | 2)[] {
  if (kind === 'voicemail') return channels === 1 ? [2] : [2, 0];
  if (channels === 1) return [0];
  return state.kind === 'inbound' ? [2, 1] : [1, 2];
}

/** Shorter calls are not transcribed (A9.3). Milliseconds. */
export const SHORTEST_TRANSCRIBED_MS = 5000;
/** A shorter message is no voicemail (A5.1 `voicemail_abandon`). Milliseconds. */
export const SHORTEST_VOICEMAIL_MS = 3000;
/**
 * Whether a recording is silent: no peak above 1 % of full scale. `peaks`: 0 to 1, one list per
 * channel; without peaks it is not considered silent.
 */
export const isSilence = (peaks: readonly (readonly number[])[]): boolean =>
  peaks.some((channel) => channel.length > 0) &&
  peaks.every((channel) => channel.every((peak) => peak <= 0.01));

const EMERGENCY = new Set(['911', '112', '933', '999']);
/** Whether the dialed digits are an emergency number, however formatted. */
export const isEmergency = (dialed: string): boolean => EMERGENCY.has(dialed.replace(/\D/g, ''));

/** A user's presence. Only `active` users are rung. */
export function presenceState(p: {
  set_up: boolean;
  wish: 'active' | 'away';
  on_call: boolean;
  devices: readonly unknown[];
}): 'active' | 'away' | 'on_call' | 'offline' {
  if (!p.set_up || p.devices.length === 0) return 'offline';
  if (p.on_call) return 'on_call';
  return p.wish;
}
