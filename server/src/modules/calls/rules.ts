/** Decisions about calls, pure. */
import { calls as contract } from '#contract';
import type { CallState, Leg } from '../routing/index.ts';
import type { CallRow } from './records/store.ts';

/** How a withheld caller is written where a party is named. */
export const anonymousParty = 'anonymous';
export const partyOf = (number: string | null): string =>
  number && /^\+?\d/.test(number) ? number : anonymousParty;

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

/** What the record copies from the engine after each step. */
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

/** Whom a leg belongs to, in words. */
export const legLabel = (leg: Leg, row: Pick<CallRow, 'caller_name' | 'party'>): string =>
  leg.target?.label ||
  (leg.role === 'caller' ? row.caller_name || row.party : (leg.target?.key ?? leg.role));

/** Minutes a carrier bills: begun minutes from the moment somebody (or the voicemail) picked up. */
export const billableMinutes = (
  row: Pick<CallRow, 'outcome' | 'talk_seconds' | 'duration_seconds' | 'ring_seconds'>,
): number =>
  row.outcome === 1
    ? Math.ceil(row.talk_seconds / 60)
    : row.outcome === 3
      ? Math.ceil(Math.max(0, row.duration_seconds - row.ring_seconds) / 60)
      : 0;

/** Who speaks on each channel of a recording: the first leg is channel 0 (A §4 speaker codes). */
export function speakersOf(
  state: Pick<CallState, 'kind'>,
  kind: 'call' | 'voicemail',
  channels: 1 | 2,
): (0 | 1 | 2)[] {
  if (kind === 'voicemail') return channels === 1 ? [2] : [2, 0];
  if (channels === 1) return [0];
  return state.kind === 'inbound' ? [2, 1] : [1, 2];
}

/** Talk shorter than this is not transcribed (A9.3). Milliseconds. */
export const SHORTEST_TRANSCRIBED_MS = 5000;
/** A message shorter than this counts as none (A5.1 `voicemail_abandon`). Milliseconds. */
export const SHORTEST_VOICEMAIL_MS = 3000;
/** No moment of it is louder than a quiet line (1 % of full scale). `peaks`: 0 to 1, a list a channel; none = nothing is known. */
export const isSilence = (peaks: readonly (readonly number[])[]): boolean =>
  peaks.some((channel) => channel.length > 0) &&
  peaks.every((channel) => channel.every((peak) => peak <= 0.01));

const EMERGENCY = new Set(['911', '112', '933', '999']);
export const isEmergency = (dialled: string): boolean => EMERGENCY.has(dialled.replace(/\D/g, ''));

/** What is shown of a person who may call: nobody rings a person who is in a call, away, or has no device there. */
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

type Segment = {
  speaker: 0 | 1 | 2;
  start_ms: number;
  end_ms: number;
  words: readonly unknown[];
  text: string;
};
/** Who spoke how much (A9.3). Shares sum to 100 with silence excluded; mixed speech counts for neither. */
export function speakingStatistics(segments: readonly Segment[], durationMs: number) {
  const segmentsOf = (speaker: number) => segments.filter((s) => s.speaker === speaker);
  const talk = (list: readonly Segment[]) => coveredMs(list.map((s) => [s.start_ms, s.end_ms]));
  const words = (list: readonly Segment[]) =>
    list.reduce((n, s) => n + (s.words.length || s.text.split(/\s+/).filter(Boolean).length), 0);
  const [agent, client] = [segmentsOf(1), segmentsOf(2)];
  const [agentMs, clientMs] = [talk(agent), talk(client)];
  const spoken = agentMs + clientMs;
  const agentPercent = spoken ? Math.round((agentMs / spoken) * 100) : 0;
  const anyone = coveredMs(segments.map((s) => [s.start_ms, s.end_ms]));
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    agent: { percent: agentPercent, seconds: seconds(agentMs), words: words(agent) },
    client: {
      percent: spoken ? 100 - agentPercent : 0,
      seconds: seconds(clientMs),
      words: words(client),
    },
    silence_percent: durationMs ? Math.max(0, Math.round((1 - anyone / durationMs) * 100)) : 0,
    overtalk_seconds: seconds(
      Math.max(
        0,
        agentMs + clientMs - coveredMs([...agent, ...client].map((s) => [s.start_ms, s.end_ms])),
      ),
    ),
    longest_monologue_seconds: seconds(longestMonologue(segments)),
  };
}
/** A breath is no end of a speech. Milliseconds. */
const MAX_PAUSE_MS = 2000;
/** The longest stretch in which one side spoke and the other did not come in. */
function longestMonologue(segments: readonly Segment[]): number {
  let most = 0;
  let speech = null as { speaker: number; from: number; to: number } | null;
  for (const s of [...segments].sort((a, b) => a.start_ms - b.start_ms)) {
    speech =
      speech && speech.speaker === s.speaker && s.start_ms - speech.to <= MAX_PAUSE_MS
        ? { ...speech, to: Math.max(speech.to, s.end_ms) }
        : { speaker: s.speaker, from: s.start_ms, to: s.end_ms };
    most = Math.max(most, speech.to - speech.from);
  }
  return most;
}
/** Milliseconds covered by spans that may overlap. */
function coveredMs(spans: readonly (readonly [number, number])[]): number {
  let total = 0;
  let end = -Infinity;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue;
    total += to - Math.max(from, end);
    end = to;
  }
  return total;
}
