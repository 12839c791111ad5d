/** How a call ends: the last message, and the one outcome. */
import type { LegEndCause, Prompt } from '../../../ports/voice.ts';
import { parkedOf } from './transfer-audio.ts';
import {
  answerFirstLeg,
  command,
  enter,
  guard,
  legOf,
  note,
  stopWaiting,
  trying,
  why,
  type Turn,
} from './turn.ts';
import type { CallFacts, FinalCode, Leg } from './types.ts';
import { promptSeconds } from './words.ts';

/** Tell a leg to end, once. A ringing leg is cancelled, an answered one hung up. */
export function letGo(
  turn: Turn,
  leg: Leg,
  because: 'answeredElsewhere' | 'timeout' | 'callerLeft',
  cause?: LegEndCause,
): void {
  if (leg.state === 'leaving' || leg.state === 'ended') return;
  if (leg.role !== 'caller' && leg.state === 'ringing')
    command(turn, { do: 'cancelLeg', leg: leg.id, because });
  else
    command(turn, {
      do: 'hangup',
      leg: leg.id,
      ...(cause === undefined ? {} : { because: cause }),
    });
  leg.state = 'leaving';
}

/** Say a last message to the first leg, then hang up. `status` is decided now, even if the caller does not stay to listen. */
export function closeWith(turn: Turn, prompts: Prompt[], wanted: FinalCode, because: string): void {
  const status = finalOf(turn, wanted);
  if (status === wanted) note(turn, status, { detail: because });
  else note(turn, null, { label: 'Nobody took it', detail: because });
  turn.s.facts.status = status;
  if (prompts.length === 0) {
    finish(turn, status, because, 'us');
    return;
  }
  answerFirstLeg(turn);
  stopWaiting(turn);
  why(
    turn,
    'message',
    'message',
    true,
    because,
    prompts.map((prompt) => (prompt.kind === 'say' ? prompt.text : 'recorded greeting')).join(' '),
  );
  const commandId = command(turn, { do: 'play', leg: turn.s.firstLeg, prompts });
  enter(turn, { name: 'closing', commandId, status, because });
  guard(turn, promptSeconds(prompts) * 2 + 20);
}

/** Once people have talked a call was answered, whatever becomes of passing it on; only a voicemail says more. */
const finalOf = (turn: Turn, wanted: FinalCode): FinalCode =>
  turn.s.facts.connectedAt === null || wanted === 4 ? wanted : 12;

/** The end. Everything still up is told to go; the outcome is set and never changes. */
export function finish(
  turn: Turn,
  wanted: FinalCode,
  because: string,
  endedBy: CallFacts['endedBy'],
  abandoned: CallFacts['abandoned'] = null,
): void {
  const { s } = turn;
  if (s.outcome !== null) return;
  const status = finalOf(turn, wanted);
  for (const leg of trying(turn)) letGo(turn, leg, 'callerLeft');
  const cause = whyPlacedInVain(turn, status);
  for (const leg of s.legs)
    letGo(turn, leg, 'callerLeft', leg.id === s.firstLeg ? cause : undefined);
  for (const recording of s.facts.recordings)
    if (recording.state === 'running') recording.state = 'stopped';
  s.facts.status = status;
  s.facts.endedAt = turn.now;
  s.facts.endedBy = endedBy;
  s.facts.abandoned = abandoned;
  s.facts.onHold = false;
  if (
    s.facts.ringingAt !== null &&
    s.facts.connectedAt === null &&
    status !== 4 &&
    status !== 8 &&
    status !== 7
  ) {
    s.facts.ringSeconds = Math.max(
      s.facts.ringSeconds,
      Math.round((turn.now - s.facts.ringingAt) / 1000),
    );
  }
  if (s.facts.connectedAt !== null)
    s.facts.talkSeconds = Math.round((turn.now - s.facts.connectedAt) / 1000);
  s.waiting = false;
  s.outcome = { status, at: turn.now, because };
  why(turn, 'end', 'outcome', true, because);
  enter(turn, { name: 'over' });
}

/** Why whoever was called did not answer: a phone that placed the call says "busy" or "declined". undefined: somebody did, or nobody was rung. */
function whyPlacedInVain({ s }: Turn, status: FinalCode): LegEndCause | undefined {
  if (s.kind !== 'outbound' || s.facts.connectedAt !== null) return undefined;
  return (
    s.legs.findLast((leg) => leg.id !== s.firstLeg && leg.cause !== null)?.cause ??
    (status === 8 ? 'noAnswer' : undefined)
  );
}

/** Nobody hung up: the process or carrier that carried the sound no longer has it. */
export function lineLost(turn: Turn, status: FinalCode): void {
  const because = 'The line was lost: the media server or carrier dropped the call.';
  const recorded = turn.s.facts.recordings.some((one) => one.state === 'lost');
  const detail = recorded ? `${because} Its recording is lost as well.` : because;
  if (turn.s.facts.connectedAt !== null) note(turn, null, { label: 'Line lost', detail });
  else note(turn, status, { detail });
  finish(turn, status, because, 'us');
}

/** What a call is that was cut off here: as if the caller had left (A5.1). */
const lostStatus = ({ s }: Turn): FinalCode =>
  s.facts.connectedAt !== null
    ? 12
    : s.phase.name === 'ringing'
      ? 11
      : s.phase.name === 'voicemailGreeting' || s.phase.name === 'voicemail'
        ? 4
        : s.phase.name === 'closing'
          ? s.phase.status
          : 3;

/** Whoever placed the call in the app never took it there: nobody was rung, and nobody hung up. */
export function pageNeverAnswered(turn: Turn): void {
  const because = 'The in-app phone did not take the call: no open page answered.';
  note(turn, 3, { detail: because });
  finish(turn, 3, because, 'us');
}

/** How the leg of somebody's own page ends when no page took it. */
const notTaken: ReadonlySet<LegEndCause> = new Set(['noAnswer', 'failed', 'rejected', 'busy']);

/** The first leg ended by itself: who left, in which phase, decides the status (A5.1). */
export function callerLeft(turn: Turn, lost?: boolean): void {
  const { s } = turn;
  const first = legOf(turn, s.firstLeg);
  // After a transfer of a call placed here, the first leg is whoever was called.
  const passedOn = s.kind === 'outbound' && first?.role !== 'agent';
  const who = s.kind === 'inbound' ? 'The caller' : passedOn ? 'The other side' : 'The agent';
  const by = passedOn ? 'callee' : 'caller';
  if (first !== undefined) first.state = 'ended';
  if (lost) return lineLost(turn, lostStatus(turn));
  if (
    s.facts.connectedAt !== null &&
    (s.phase.name === 'ringing' || s.phase.name === 'announcing' || s.phase.name === 'parked')
  ) {
    const parked = parkedOf(s.phase) !== null;
    note(turn, null, {
      label: 'Hung up',
      detail: parked ? `${who} hung up while parked` : `${who} hung up while being transferred`,
    });
    finish(
      turn,
      12,
      parked ? `${who} hung up while parked.` : `${who} hung up while being transferred.`,
      by,
      parked ? 'hold' : 'transfer',
    );
    return;
  }
  if (s.phase.name === 'calling' && notTaken.has(first?.cause ?? 'hangup'))
    return pageNeverAnswered(turn);
  switch (s.phase.name) {
    case 'announcing':
    case 'menu':
    case 'calling':
      note(turn, 3, { detail: `${who} hung up before anyone was rung` });
      finish(turn, 3, `${who} hung up before anyone was rung.`, 'caller', 'menu');
      return;
    case 'ringing':
      note(turn, 11, { detail: `${who} hung up while it rang` });
      finish(turn, 11, `${who} hung up while it rang.`, 'caller', 'ringing');
      return;
    case 'connected':
      finish(
        turn,
        12,
        `${who} hung up.`,
        by,
        s.phase.aside?.for === 'consult'
          ? 'transfer'
          : s.phase.held && s.kind === 'inbound'
            ? 'hold'
            : null,
      );
      return;
    case 'voicemailGreeting':
      finish(turn, 4, `${who} hung up before leaving a message.`, 'caller', 'voicemail');
      return;
    case 'voicemail':
      finish(turn, 4, `${who} left a voicemail.`, 'caller');
      return;
    case 'closing':
      finish(turn, s.phase.status, s.phase.because, 'caller');
      return;
    case 'parked':
    case 'over':
  }
}
