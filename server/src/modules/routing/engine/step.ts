/** One event, one step. An event that means nothing now changes nothing. */
import type { VoiceEvent } from '../../../ports/voice.ts';
import { outboundWhisper } from './begin.ts';
import { otherSideLeft, screenAsks } from './connect.ts';
import { callerLeft, finish, pageNeverAnswered } from './finish.ts';
import { menuGathered } from './menu.ts';
import {
  keyGathered,
  ring,
  ringTimer,
  targetAnswered,
  targetEnded,
  userDeclined,
  whisperEnded,
} from './ring.ts';
import { agentLeaves, partyLeft, passAsked, passTimer } from './transfer.ts';
import { asideAnswered, asideDeclined } from './transfer-aside.ts';
import { monitorAnswered } from './transfer-monitor.ts';
import { command, disarm, endTurn, legOf, note, takeTurn, type Turn } from './turn.ts';
import type { CallState, EngineEvent, StepResult } from './types.ts';
import { recordingKept, recordMessage } from './voicemail.ts';

/** @param now epoch ms; a clock that ran backwards is read as standing still. */
export function step(state: CallState, event: EngineEvent, now: number): StepResult {
  const last = Math.max(
    state.facts.startedAt,
    state.history.at(-1)?.at ?? 0,
    state.path.at(-1)?.at ?? 0,
  );
  const turn = takeTurn(state, Math.max(now, last));
  if (!happen(turn, event)) return { state, commands: [], history: [], path: [] };
  return endTurn(turn);
}

/** False when the event means nothing (now). */
function happen(turn: Turn, event: EngineEvent): boolean {
  switch (event.type) {
    case 'inbound':
    case 'legRinging':
    case 'digits':
      return false;
    case 'legAnswered':
      return legAnswered(turn, event.leg);
    case 'legEnded':
      return legEnded(turn, event);
    case 'promptEnded':
      return promptEnded(turn, event);
    case 'recordingReady':
      return recordingKept(turn, event);
    case 'timer':
      return timer(turn, event.id);
    case 'decline':
      if (asideDeclined(turn, event.userId)) return true;
      return (
        turn.s.phase.name === 'ringing' &&
        turn.s.phase.winner === null &&
        userDeclined(turn, turn.s.phase, event.userId)
      );
    case 'hangup':
      return agentLeaves(turn, event.by) ?? screenAsks(turn, event);
    case 'hold':
    case 'record':
    case 'sendDigits':
      return screenAsks(turn, event);
    default:
      return passAsked(turn, event);
  }
}

function legAnswered(turn: Turn, legId: string): boolean {
  const { s } = turn;
  const leg = legOf(turn, legId);
  if (leg === undefined || leg.role === 'caller' || leg.answeredAt !== null) return false;
  if (leg.state === 'leaving') {
    // It picked up while our cancel was on its way: say it again, plainly.
    leg.answeredAt = turn.now;
    command(turn, { do: 'hangup', leg: leg.id });
    return true;
  }
  if (leg.state !== 'ringing') return false;
  if (monitorAnswered(turn, leg) || asideAnswered(turn, leg)) return true;
  if (leg.role === 'agent') {
    if (s.phase.name !== 'calling') return false;
    leg.state = 'answered';
    leg.answeredAt = turn.now;
    s.answered = true;
    dialOut(turn, s.phase.outbound);
    return true;
  }
  if (s.phase.name !== 'ringing' || s.phase.winner !== null) return false;
  targetAnswered(turn, s.phase, leg);
  return true;
}

function dialOut(
  turn: Turn,
  outbound: Extract<CallState['phase'], { name: 'calling' }>['outbound'],
): void {
  const whisper = outboundWhisper(turn.s.flow);
  ring(turn, {
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
      because: 'The destination did not answer.',
    },
  });
}

function legEnded(turn: Turn, event: Extract<VoiceEvent, { type: 'legEnded' }>): boolean {
  const { s } = turn;
  const leg = legOf(turn, event.leg);
  if (leg === undefined || leg.endedAt !== null) return false;
  leg.endedAt = turn.now;
  leg.cause = event.cause;
  if (partyLeft(turn, leg)) {
    leg.state = 'ended';
    return true;
  }
  if (event.lost)
    turn.s.facts.recordings
      .filter((one) => one.state === 'running')
      .forEach((one) => {
        one.state = 'lost';
      });
  if (leg.id === s.firstLeg) {
    callerLeft(turn, event.lost);
    leg.state = 'ended';
    return true;
  }
  if (s.phase.name === 'ringing') {
    targetEnded(turn, s.phase, leg, event.cause);
    return true;
  }
  const wasConnected = s.phase.name === 'connected' && s.phase.legs.includes(leg.id);
  leg.state = 'ended';
  if (wasConnected) otherSideLeft(turn, event.lost);
  return true;
}

function promptEnded(turn: Turn, event: Extract<VoiceEvent, { type: 'promptEnded' }>): boolean {
  const { phase, confirming } = turn.s;
  if (phase.name === 'ringing') {
    if (phase.winner?.commandId === event.commandId) {
      whisperEnded(turn, phase);
      return true;
    }
    const legId = confirming[event.commandId];
    const leg = legId === undefined ? undefined : legOf(turn, legId);
    if (leg === undefined || leg.state !== 'confirming') return false;
    keyGathered(turn, phase, leg, event.commandId, event.digits);
    return true;
  }
  if (!('commandId' in phase) || phase.commandId !== event.commandId) return false;
  promptOver(turn, event.digits);
  return true;
}

/** What the first leg was hearing is over (or its report got lost and the guard timer came). */
function promptOver(turn: Turn, digits: string): void {
  const { phase } = turn.s;
  if (phase.name === 'announcing') ring(turn, phase.plan);
  else if (phase.name === 'menu') menuGathered(turn, phase.attempt, digits);
  else if (phase.name === 'voicemailGreeting') recordMessage(turn);
  else if (phase.name === 'closing') finish(turn, phase.status, phase.because, 'us');
}

function timer(turn: Turn, id: string): boolean {
  const { s } = turn;
  if (!s.timers.some((one) => one.id === id)) return false;
  disarm(turn, id);
  if (passTimer(turn, id)) return true;
  switch (s.phase.name) {
    case 'announcing':
    case 'menu':
    case 'voicemailGreeting':
    case 'closing':
      promptOver(turn, '');
      return true;
    case 'ringing':
      ringTimer(turn, s.phase, id);
      return true;
    case 'calling':
      pageNeverAnswered(turn);
      return true;
    case 'connected':
      note(turn, null, { label: 'Longest call reached' });
      finish(turn, 12, 'The call reached the longest time allowed.', 'us');
      return true;
    case 'voicemail':
      finish(turn, 4, 'A voicemail was left.', 'us');
      return true;
    case 'parked':
    case 'over':
      return true;
  }
}
