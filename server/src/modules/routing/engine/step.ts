/** Applies one event to a call. An event that does not apply changes nothing. */
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { outboundWhisper } from './begin.ts';
import { otherPartyLeft, handleScreenEvent } from './connect.ts';
import { finish } from './finish.ts';
import { agentNeverJoined, firstLegEnded } from './first-leg-ended.ts';
import { handleMenuDigits } from './menu.ts';
import {
  handleConfirmKey,
  handleRingTimer,
  targetAnswered,
  targetEnded,
  userDeclined,
  whisperEnded,
} from './ringing/events.ts';
import { ringPlan } from './ringing/ring.ts';
import { monitorAnswered } from './transfer/monitor.ts';
import { agentLeaves, extraPartyLeft } from './transfer/parties.ts';
import { sideCallAnswered, sideCallDeclined } from './transfer/side-call.ts';
import { handleTransferEvent, handleTransferTimer } from './transfer/transfer.ts';
import { handleScreeningKey } from './screening.ts';
import {
  addCommand,
  cancelTimer,
  finishStep,
  findLeg,
  addHistoryEntry,
  beginStep,
  type Step,
} from './step-context.ts';
import type { CallState, EngineEvent, StepResult } from './types.ts';
import { recordingFileReady, recordMessage } from './voicemail.ts';

/** @param now epoch ms; a time before the last entry counts as the time of that entry. */
export function step(state: CallState, event: EngineEvent, now: number): StepResult {
  const last = Math.max(
    state.facts.startedAt,
    state.history.at(-1)?.at ?? 0,
    state.path.at(-1)?.at ?? 0,
  );
  const step = beginStep(state, Math.max(now, last));
  if (!applyEvent(step, event)) return { state, commands: [], history: [], path: [] };
  return finishStep(step);
}

/** False: the event does not apply in this state. */
function applyEvent(step: Step, event: EngineEvent): boolean {
  switch (event.type) {
    case 'inbound':
    case 'legRinging':
    case 'digits':
      return false;
    case 'legAnswered':
      return legAnswered(step, event.leg);
    case 'legEnded':
      return legEnded(step, event);
    case 'promptEnded':
      return promptEnded(step, event);
    case 'recordingReady':
      return recordingFileReady(step, event);
    case 'timer':
      return handleTimer(step, event.id);
    case 'decline':
      if (sideCallDeclined(step, event.userId)) return true;
      return (
        step.s.phase.name === 'ringing' &&
        step.s.phase.winner === null &&
        userDeclined(step, step.s.phase, event.userId)
      );
    case 'hangup':
      return agentLeaves(step, event.by) ?? handleScreenEvent(step, event);
    case 'hold':
    case 'record':
    case 'sendDigits':
      return handleScreenEvent(step, event);
    default:
      return handleTransferEvent(step, event);
  }
}

function legAnswered(step: Step, legId: string): boolean {
  const { s } = step;
  const leg = findLeg(step, legId);
  if (leg === undefined || leg.role === 'caller' || leg.answeredAt !== null) return false;
  if (leg.state === 'leaving') {
    // It answered while our cancel was in flight: hang it up.
    leg.answeredAt = step.now;
    addCommand(step, { do: 'hangup', leg: leg.id });
    return true;
  }
  if (leg.state !== 'ringing') return false;
  if (monitorAnswered(step, leg) || sideCallAnswered(step, leg)) return true;
  if (leg.role === 'agent') {
    if (s.phase.name !== 'calling') return false;
    leg.state = 'answered';
    leg.answeredAt = step.now;
    s.answered = true;
    ringDestination(step, s.phase.outbound);
    return true;
  }
  if (s.phase.name !== 'ringing' || s.phase.winner !== null) return false;
  targetAnswered(step, s.phase, leg);
  return true;
}

function ringDestination(
  step: Step,
  outbound: Extract<CallState['phase'], { name: 'calling' }>['outbound'],
): void {
  const whisper = outboundWhisper(step.s.flow);
  ringPlan(step, {
    routeId: null,
    groups: [
      {
        targets: [
          {
            key: outbound.to,
            to: { kind: 'phone', number: outbound.to },
            label: outbound.toLabel,
            callerId: outbound.callerId,
            forwardId: null,
            timeoutSeconds: outbound.timeoutSeconds,
            ...(outbound.keys ? { digits: outbound.keys } : {}),
          },
        ],
        startAfter: 0,
        confirm: whisper.length === 0 ? null : { key: null, waitSeconds: 0, whisper },
      },
    ],
    holdMusicId: null,
    otherwise: {
      then: 'message',
      prompts: [],
      status: 8,
      because: 'The destination didn’t answer.',
    },
  });
}

function legEnded(step: Step, event: Extract<VoiceEvent, { type: 'legEnded' }>): boolean {
  const { s } = step;
  const leg = findLeg(step, event.leg);
  if (leg === undefined || leg.endedAt !== null) return false;
  leg.endedAt = step.now;
  leg.cause = event.cause;
  if (extraPartyLeft(step, leg)) {
    leg.state = 'ended';
    return true;
  }
  if (event.lost)
    step.s.facts.recordings
      .filter((one) => one.state === 'running')
      .forEach((one) => {
        one.state = 'lost';
      });
  if (leg.id === s.firstLeg) {
    firstLegEnded(step, event.lost);
    leg.state = 'ended';
    return true;
  }
  if (s.phase.name === 'ringing') {
    targetEnded(step, s.phase, leg, event.cause);
    return true;
  }
  const wasConnected = s.phase.name === 'connected' && s.phase.legs.includes(leg.id);
  leg.state = 'ended';
  if (wasConnected) otherPartyLeft(step, event.lost);
  return true;
}

function promptEnded(step: Step, event: Extract<VoiceEvent, { type: 'promptEnded' }>): boolean {
  const { phase, confirming } = step.s;
  if (phase.name === 'ringing') {
    if (phase.winner?.commandId === event.commandId) {
      whisperEnded(step, phase);
      return true;
    }
    const legId = confirming[event.commandId];
    const leg = legId === undefined ? undefined : findLeg(step, legId);
    if (leg === undefined || leg.state !== 'confirming') return false;
    handleConfirmKey(step, phase, leg, event.commandId, event.digits);
    return true;
  }
  if (!('commandId' in phase) || phase.commandId !== event.commandId) return false;
  firstLegPromptEnded(step, event.digits);
  return true;
}

/** The first leg's prompt ended, or its guard timer fired because the event was lost. */
function firstLegPromptEnded(step: Step, digits: string): void {
  const { phase } = step.s;
  if (phase.name === 'announcing') ringPlan(step, phase.plan);
  else if (phase.name === 'menu' && phase.screening)
    handleScreeningKey(step, phase.attempt, digits);
  else if (phase.name === 'menu') handleMenuDigits(step, phase.attempt, digits);
  else if (phase.name === 'voicemailGreeting') recordMessage(step);
  else if (phase.name === 'closing') finish(step, phase.status, phase.because, 'us');
}

function handleTimer(step: Step, id: string): boolean {
  const { s } = step;
  if (!s.timers.some((one) => one.id === id)) return false;
  cancelTimer(step, id);
  if (handleTransferTimer(step, id)) return true;
  switch (s.phase.name) {
    case 'announcing':
    case 'menu':
    case 'voicemailGreeting':
    case 'closing':
      firstLegPromptEnded(step, '');
      return true;
    case 'ringing':
      handleRingTimer(step, s.phase, id);
      return true;
    case 'calling':
      agentNeverJoined(step);
      return true;
    case 'connected':
      addHistoryEntry(step, null, { label: 'Maximum call length reached' });
      finish(step, 12, 'The call reached the maximum length.', 'us');
      return true;
    case 'voicemail':
      finish(step, 4, 'A voicemail was left.', 'us');
      return true;
    case 'parked':
    case 'over':
      return true;
  }
}
