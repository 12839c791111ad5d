/** How a call ends: the last message, and the one outcome. */
import type { LegEndCause, Prompt } from '../../../gateways/voice.ts';
import { parkedOf } from './transfer-audio.ts';
import {
  answerFirstLeg,
  addCommand,
  enterPhase,
  startGuardTimer,
  findLeg,
  addHistoryEntry,
  endFirstLegHold,
  pendingLegs,
  explain,
  type Step,
} from './step-context.ts';
import type { CallFacts, FinalCode, Leg } from './types.ts';
import { promptSeconds } from './labels.ts';

/** Tell a leg to end, once. A ringing leg is cancelled, an answered one hung up. */
export function releaseLeg(
  step: Step,
  leg: Leg,
  because: 'answeredElsewhere' | 'timeout' | 'callerLeft',
  cause?: LegEndCause,
): void {
  if (leg.state === 'leaving' || leg.state === 'ended') return;
  if (leg.role !== 'caller' && leg.state === 'ringing')
    addCommand(step, { do: 'cancelLeg', leg: leg.id, because });
  else
    addCommand(step, {
      do: 'hangup',
      leg: leg.id,
      ...(cause === undefined ? {} : { because: cause }),
    });
  leg.state = 'leaving';
}

/** Say a last message to the first leg, then hang up. `status` is decided now, even if the caller does not stay to listen. */
export function playAndHangUp(
  step: Step,
  prompts: Prompt[],
  wanted: FinalCode,
  because: string,
): void {
  const status = finalStatus(step, wanted);
  if (status === wanted) addHistoryEntry(step, status, { detail: because });
  else addHistoryEntry(step, null, { label: 'No one answered', detail: because });
  step.s.facts.status = status;
  if (prompts.length === 0) {
    finish(step, status, because, 'us');
    return;
  }
  answerFirstLeg(step);
  endFirstLegHold(step);
  explain(
    step,
    'message',
    'message',
    true,
    because,
    prompts.map((prompt) => (prompt.kind === 'say' ? prompt.text : 'recorded greeting')).join(' '),
  );
  const commandId = addCommand(step, { do: 'play', leg: step.s.firstLeg, prompts });
  enterPhase(step, { name: 'closing', commandId, status, because });
  startGuardTimer(step, promptSeconds(prompts) * 2 + 20);
}

/** Once people have talked a call was answered, whatever becomes of passing it on; only a voicemail says more. */
const finalStatus = (step: Step, wanted: FinalCode): FinalCode =>
  step.s.facts.connectedAt === null || wanted === 4 ? wanted : 12;

/** The end. Everything still up is told to go; the outcome is set and never changes. */
export function finish(
  step: Step,
  wanted: FinalCode,
  because: string,
  endedBy: CallFacts['endedBy'],
  abandoned: CallFacts['abandoned'] = null,
): void {
  const { s } = step;
  if (s.outcome !== null) return;
  const status = finalStatus(step, wanted);
  for (const leg of pendingLegs(step)) releaseLeg(step, leg, 'callerLeft');
  const cause = unansweredReason(step, status);
  for (const leg of s.legs)
    releaseLeg(step, leg, 'callerLeft', leg.id === s.firstLeg ? cause : undefined);
  for (const recording of s.facts.recordings)
    if (recording.state === 'running') recording.state = 'stopped';
  s.facts.status = status;
  s.facts.endedAt = step.now;
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
      Math.round((step.now - s.facts.ringingAt) / 1000),
    );
  }
  if (s.facts.connectedAt !== null)
    s.facts.talkSeconds = Math.round((step.now - s.facts.connectedAt) / 1000);
  s.waiting = false;
  s.outcome = { status, at: step.now, because };
  explain(step, 'end', 'outcome', true, because);
  enterPhase(step, { name: 'over' });
}

/** Why whoever was called did not answer: a phone that placed the call says "busy" or "declined". undefined: somebody did, or nobody was rung. */
function unansweredReason({ s }: Step, status: FinalCode): LegEndCause | undefined {
  if (s.kind !== 'outbound' || s.facts.connectedAt !== null) return undefined;
  return (
    s.legs.findLast((leg) => leg.id !== s.firstLeg && leg.cause !== null)?.cause ??
    (status === 8 ? 'noAnswer' : undefined)
  );
}

/** Nobody hung up: the process or carrier that carried the sound no longer has it. */
export function mediaLost(step: Step, status: FinalCode): void {
  const because = 'The connection was lost: the media server or carrier dropped the call.';
  const recorded = step.s.facts.recordings.some((one) => one.state === 'lost');
  const detail = recorded ? `${because} Its recording was lost too.` : because;
  if (step.s.facts.connectedAt !== null)
    addHistoryEntry(step, null, { label: 'Connection lost', detail });
  else addHistoryEntry(step, status, { detail });
  finish(step, status, because, 'us');
}

/** What a call is that was cut off here: as if the caller had left (A5.1). */
const lostStatus = ({ s }: Step): FinalCode =>
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
export function agentNeverJoined(step: Step): void {
  const because = 'The in-app phone didn’t answer: no open page responded.';
  addHistoryEntry(step, 3, { detail: because });
  finish(step, 3, because, 'us');
}

/** How the leg of somebody's own page ends when no page took it. */
const agentNotJoinedCauses: ReadonlySet<LegEndCause> = new Set([
  'noAnswer',
  'failed',
  'rejected',
  'busy',
]);

/** The first leg ended by itself: who left, in which phase, decides the status (A5.1). */
export function firstLegEnded(step: Step, lost?: boolean): void {
  const { s } = step;
  const first = findLeg(step, s.firstLeg);
  // After a transfer of a call placed here, the first leg is whoever was called.
  const passedOn = s.kind === 'outbound' && first?.role !== 'agent';
  const endedBy = s.kind === 'inbound' ? 'The caller' : passedOn ? 'The other party' : 'The agent';
  const transferrer = passedOn ? 'callee' : 'caller';
  if (first !== undefined) first.state = 'ended';
  if (lost) return mediaLost(step, lostStatus(step));
  if (
    s.facts.connectedAt !== null &&
    (s.phase.name === 'ringing' || s.phase.name === 'announcing' || s.phase.name === 'parked')
  ) {
    const parked = parkedOf(s.phase) !== null;
    addHistoryEntry(step, null, {
      label: 'Hung up',
      detail: parked
        ? `${endedBy} hung up while parked`
        : `${endedBy} hung up while being transferred`,
    });
    finish(
      step,
      12,
      parked ? `${endedBy} hung up while parked.` : `${endedBy} hung up while being transferred.`,
      transferrer,
      parked ? 'hold' : 'transfer',
    );
    return;
  }
  if (s.phase.name === 'calling' && agentNotJoinedCauses.has(first?.cause ?? 'hangup'))
    return agentNeverJoined(step);
  switch (s.phase.name) {
    case 'announcing':
    case 'menu':
    case 'calling':
      addHistoryEntry(step, 3, { detail: `${endedBy} hung up before anyone was rung` });
      finish(step, 3, `${endedBy} hung up before anyone was rung.`, 'caller', 'menu');
      return;
    case 'ringing':
      addHistoryEntry(step, 11, { detail: `${endedBy} hung up while it rang` });
      finish(step, 11, `${endedBy} hung up while it rang.`, 'caller', 'ringing');
      return;
    case 'connected':
      finish(
        step,
        12,
        `${endedBy} hung up.`,
        transferrer,
        s.phase.aside?.for === 'consult'
          ? 'transfer'
          : s.phase.held && s.kind === 'inbound'
            ? 'hold'
            : null,
      );
      return;
    case 'voicemailGreeting':
      finish(step, 4, `${endedBy} hung up before leaving a message.`, 'caller', 'voicemail');
      return;
    case 'voicemail':
      finish(step, 4, `${endedBy} left a voicemail.`, 'caller');
      return;
    case 'closing':
      finish(step, s.phase.status, s.phase.because, 'caller');
      return;
    case 'parked':
    case 'over':
  }
}
