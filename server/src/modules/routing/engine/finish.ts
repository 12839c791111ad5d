/** How a call ends: the final message and the outcome. */
import type { LegEndCause, Prompt } from '../../../gateways/voice.ts';
import {
  answerFirstLeg,
  addCommand,
  enterPhase,
  startGuardTimer,
  addHistoryEntry,
  endFirstLegHold,
  pendingLegs,
  explain,
  type Step,
} from './step-context.ts';
import type { CallFacts, FinalCode, Leg } from './types.ts';
import { promptSeconds } from './labels.ts';

/**
 * Ends a leg, once: cancels it while it rings, hangs it up when answered. `cause`: for `hangup`
 * only.
 */
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

/**
 * Plays a final message to the first leg, then hangs up. The status is decided now, even if the
 * caller hangs up during the message.
 */
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

/**
 * A call in which people talked ends as 12 (connected), or as 4 when a transfer led to voicemail.
 */
const finalStatus = (step: Step, wanted: FinalCode): FinalCode =>
  step.s.facts.connectedAt === null || wanted === 4 ? wanted : 12;

/** Ends the call: releases every leg and sets the outcome, once. */
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

/**
 * Why the called party of an outbound call did not answer, for the phone that placed it ("busy",
 * "declined"). undefined: it was answered, or nothing was rung.
 */
function unansweredReason({ s }: Step, status: FinalCode): LegEndCause | undefined {
  if (s.kind !== 'outbound' || s.facts.connectedAt !== null) return undefined;
  return (
    s.legs.findLast((leg) => leg.id !== s.firstLeg && leg.cause !== null)?.cause ??
    (status === 8 ? 'noAnswer' : undefined)
  );
}

/** The call lost its media: the media process or carrier dropped it, no party hung up. */
export function mediaLost(step: Step, status: FinalCode): void {
  const because = 'The connection was lost: the media server or carrier dropped the call.';
  const recorded = step.s.facts.recordings.some((one) => one.state === 'lost');
  const detail = recorded ? `${because} Its recording was lost too.` : because;
  if (step.s.facts.connectedAt !== null)
    addHistoryEntry(step, null, { label: 'Connection lost', detail });
  else addHistoryEntry(step, status, { detail });
  finish(step, status, because, 'us');
}
