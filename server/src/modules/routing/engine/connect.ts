/** A connected call: bridge, recording, hold, DTMF and hangup. */
import type { LegId } from '../../../gateways/voice.ts';
import { finish, mediaLost } from './finish.ts';
import {
  holdMusicFor,
  externalOf,
  syncAudio,
  activeMonitors,
  syncRecordingSides,
} from './transfer/audio.ts';
import {
  answerFirstLeg,
  startTimer,
  addCommand,
  enterPhase,
  newId,
  addHistoryEntry,
  endFirstLegHold,
  explain,
  type Step,
} from './step-context.ts';
import type { Leg, TransferEvent, ScreenEvent } from './types.ts';

/** Connects a leg to the first leg. The first connection sets the call's answer facts. */
export function connect(step: Step, leg: Leg): void {
  const { s } = step;
  const target = leg.target;
  answerFirstLeg(step);
  endFirstLegHold(step);
  leg.state = 'connected';
  const legs: [LegId, LegId] = [s.firstLeg, leg.id];
  const first = s.facts.connectedAt === null;
  if (activeMonitors(step).length === 0) addCommand(step, { do: 'bridge', legs });
  addHistoryEntry(step, 12, { leg: leg.id, target: target?.label ?? null });
  explain(
    step,
    'connect',
    'bridge',
    true,
    `${target?.label ?? 'The destination'} answered the call.`,
    target?.label ?? null,
  );
  s.facts.status = 12;
  if (first) recordAnsweredBy(step, leg);
  enterPhase(step, { name: 'connected', legs, held: false });
  startTimer(step, `talk:${newId(step)}`, s.flow.maxTalkSeconds);
  syncAudio(step);
  // A transferred call continues in the same recording; if the carrier ended that, start another.
  if (
    s.flow.recording.on &&
    (first || s.facts.recordings.findLast((one) => one.kind === 'call')?.state === 'kept')
  )
    setRecording(step, true);
}

/** Records who took the call first, and when. Later parties appear in the history only. */
function recordAnsweredBy(step: Step, leg: Leg): void {
  const { s } = step;
  const { target } = leg;
  s.facts.connectedAt = step.now;
  s.facts.answeredAt = leg.answeredAt ?? step.now;
  if (s.facts.ringingAt !== null)
    s.facts.ringSeconds = Math.round((s.facts.answeredAt - s.facts.ringingAt) / 1000);
  const agent =
    s.kind === 'outbound' ? s.legs.find((one) => one.role === 'agent')?.target : undefined;
  if (agent?.to.kind === 'app') {
    s.facts.answeredBy = { type: 'user', id: agent.to.userId, label: agent.label, number: null };
  } else if (target !== null) {
    s.facts.answeredBy =
      target.to.kind === 'app'
        ? { type: 'app', id: target.to.userId, label: target.label, number: null }
        : { type: 'forward', id: target.forwardId, label: target.label, number: target.key };
  }
}

/** Puts the external party on hold or takes it off. False: nothing to change. */
function setHold(step: Step, on: boolean): boolean {
  const { s } = step;
  if (s.phase.name !== 'connected' || s.phase.held === on || s.phase.aside?.for === 'consult')
    return false;
  const { legs } = s.phase;
  const external = externalOf(step, legs);
  if (on) {
    if (s.room === undefined) addCommand(step, { do: 'unbridge', legs });
    addCommand(step, { do: 'hold', leg: external, on: true, musicId: holdMusicFor(step) });
  } else {
    addCommand(step, { do: 'hold', leg: external, on: false, musicId: null });
    if (s.room === undefined) addCommand(step, { do: 'bridge', legs });
  }
  s.phase.held = on;
  syncAudio(step);
  s.facts.onHold = on;
  addHistoryEntry(step, null, { label: on ? 'Put on hold' : 'Resumed' });
  return true;
}

/** Starts or stops recording. False: nothing to change. */
function setRecording(step: Step, on: boolean): boolean {
  const { s } = step;
  if (s.phase.name !== 'connected') return false;
  const running = s.facts.recordings.find((one) => one.kind === 'call' && one.state === 'running');
  if (on === (running !== undefined)) return false;
  if (running !== undefined) {
    running.state = 'stopped';
    addCommand(step, { do: 'stopRecording', recordingId: running.recordingId });
    addHistoryEntry(step, null, { label: 'Recording stopped' });
    return true;
  }
  const recordingId = newId(step);
  const external = externalOf(step, s.phase.legs);
  const company = s.phase.legs.find((leg) => leg !== external) ?? s.phase.legs[1];
  // One channel per leg, the calling side first.
  const legs: [LegId, LegId] = s.kind === 'inbound' ? [external, company] : [company, external];
  addCommand(step, { do: 'startRecording', recordingId, legs });
  s.sides = [[legs[0]], [legs[1]]];
  s.facts.recordings.push({ recordingId, kind: 'call', state: 'running', durationMs: null });
  addHistoryEntry(step, null, { label: 'Recording started' });
  syncRecordingSides(step);
  return true;
}

/** Hold, recording, DTMF and hangup from the agent's screen. False: not now. */
export function handleScreenEvent(
  step: Step,
  event: Exclude<ScreenEvent, { type: 'decline' } | TransferEvent>,
): boolean {
  const { s } = step;
  switch (event.type) {
    case 'hold':
      return setHold(step, event.on);
    case 'record':
      return setRecording(step, event.on);
    case 'sendDigits':
      if (s.phase.name !== 'connected' || s.phase.held) return false;
      addCommand(step, {
        do: 'sendDigits',
        leg: externalOf(step, s.phase.legs),
        digits: event.digits,
      });
      return true;
    case 'hangup':
      return hangUpFromScreen(step);
  }
}

function hangUpFromScreen(step: Step): boolean {
  const { s } = step;
  const by = s.kind === 'inbound' ? 'callee' : 'caller';
  if (s.phase.name === 'connected') {
    finish(step, 12, 'The agent hung up.', by);
    return true;
  }
  if (s.kind !== 'outbound' || s.phase.name === 'over' || s.facts.connectedAt !== null)
    return false;
  const status = s.phase.name === 'ringing' ? 11 : 3;
  addHistoryEntry(step, status, { detail: 'The agent hung up' });
  finish(
    step,
    status,
    'The agent hung up before anyone answered.',
    by,
    status === 11 ? 'ringing' : 'menu',
  );
  return true;
}

/** The other leg of the bridge ended. `lost`: its media was dropped, no one hung up. */
export function otherPartyLeft(step: Step, lost?: boolean): void {
  if (lost) return mediaLost(step, 12);
  finish(
    step,
    12,
    step.s.kind === 'inbound' ? 'The agent hung up.' : 'The other party hung up.',
    'callee',
  );
}
