/** The first leg ended: which party left, and in which phase, decides the status (A5.1). */
import type { LegEndCause } from '../../../gateways/voice.ts';
import { finish, mediaLost } from './finish.ts';
import { addHistoryEntry, findLeg, type Step } from './step-context.ts';
import { parkedOf } from './transfer/audio.ts';
import type { CallFacts, FinalCode, Phase } from './types.ts';

/** The party that left, as it appears in history and path, and as `endedBy` once people talked. */
interface Leaver {
  label: string;
  endedBy: NonNullable<CallFacts['endedBy']>;
}

/** Status of a call that lost its media: as if the caller had hung up then (A5.1). */
function lostStatus({ s }: Step): FinalCode {
  if (s.facts.connectedAt !== null) return 12;
  switch (s.phase.name) {
    case 'ringing':
      return 11;
    case 'voicemailGreeting':
    case 'voicemail':
      return 4;
    case 'closing':
      return s.phase.status;
    default:
      return 3;
  }
}

/** The agent's own app never joined an outbound call; nothing was rung. */
export function agentNeverJoined(step: Step): void {
  const because = 'The in-app phone didn’t answer: no open page responded.';
  addHistoryEntry(step, 3, { detail: because });
  finish(step, 3, because, 'us');
}

/** How the agent's own leg ends when no open page took it. */
const agentNotJoinedCauses: ReadonlySet<LegEndCause> = new Set([
  'noAnswer',
  'failed',
  'rejected',
  'busy',
]);

/** The first leg ended. `lost`: its media was dropped, no one hung up. */
export function firstLegEnded(step: Step, lost?: boolean): void {
  const { s } = step;
  const first = findLeg(step, s.firstLeg);
  if (first !== undefined) first.state = 'ended';
  if (lost) return mediaLost(step, lostStatus(step));
  const leaver = leaverOf(step);
  const waiting =
    s.phase.name === 'ringing' || s.phase.name === 'announcing' || s.phase.name === 'parked';
  if (s.facts.connectedAt !== null && waiting) return leftDuringTransfer(step, leaver);
  if (s.phase.name === 'calling' && agentNotJoinedCauses.has(first?.cause ?? 'hangup'))
    return agentNeverJoined(step);
  finishByPhase(step, s.phase, leaver);
}

function leaverOf(step: Step): Leaver {
  const { s } = step;
  if (s.kind === 'inbound') return { label: 'The caller', endedBy: 'caller' };
  // After a transfer of an outbound call the first leg is the called party.
  const transferred = findLeg(step, s.firstLeg)?.role !== 'agent';
  return transferred
    ? { label: 'The other party', endedBy: 'callee' }
    : { label: 'The agent', endedBy: 'caller' };
}

/** The party waiting for a transfer, or in a parking slot, hung up. */
function leftDuringTransfer(step: Step, { label, endedBy }: Leaver): void {
  const parked = parkedOf(step.s.phase) !== null;
  const detail = `${label} hung up while ${parked ? 'parked' : 'being transferred'}`;
  addHistoryEntry(step, null, { label: 'Hung up', detail });
  finish(step, 12, `${detail}.`, endedBy, parked ? 'hold' : 'transfer');
}

function finishByPhase(step: Step, phase: Phase, { label, endedBy }: Leaver): void {
  switch (phase.name) {
    case 'announcing':
    case 'menu':
    case 'calling':
      addHistoryEntry(step, 3, { detail: `${label} hung up before anyone was rung` });
      finish(step, 3, `${label} hung up before anyone was rung.`, 'caller', 'menu');
      return;
    case 'ringing':
      addHistoryEntry(step, 11, { detail: `${label} hung up while it rang` });
      finish(step, 11, `${label} hung up while it rang.`, 'caller', 'ringing');
      return;
    case 'connected':
      finish(step, 12, `${label} hung up.`, endedBy, abandonedWhileConnected(step, phase));
      return;
    case 'voicemailGreeting':
      finish(step, 4, `${label} hung up before leaving a message.`, 'caller', 'voicemail');
      return;
    case 'voicemail':
      finish(step, 4, `${label} left a voicemail.`, 'caller');
      return;
    case 'closing':
      finish(step, phase.status, phase.because, 'caller');
      return;
    case 'parked':
    case 'over':
  }
}

/** Left during a consultation or on hold; null = the call simply ended. */
function abandonedWhileConnected(
  step: Step,
  phase: Extract<Phase, { name: 'connected' }>,
): CallFacts['abandoned'] {
  if (phase.aside?.for === 'consult') return 'transfer';
  return phase.held && step.s.kind === 'inbound' ? 'hold' : null;
}
