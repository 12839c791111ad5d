/** Two people talking: bridge, recording, hold, keys, and the end of it. */
import type { LegId } from '../../../ports/voice.ts';
import { finish, lineLost } from './finish.ts';
import { musicOf, outsideOf, seat, watching, writeSides } from './transfer-audio.ts';
import {
  answerFirstLeg,
  arm,
  command,
  enter,
  name,
  note,
  stopWaiting,
  why,
  type Turn,
} from './turn.ts';
import type { Leg, PassEvent, ScreenEvent } from './types.ts';

export function connect(turn: Turn, leg: Leg): void {
  const { s } = turn;
  const target = leg.target;
  answerFirstLeg(turn);
  stopWaiting(turn);
  leg.state = 'connected';
  const legs: [LegId, LegId] = [s.firstLeg, leg.id];
  const first = s.facts.connectedAt === null;
  if (watching(turn).length === 0) command(turn, { do: 'bridge', legs });
  note(turn, 12, { leg: leg.id, target: target?.label ?? null });
  why(
    turn,
    'connect',
    'bridge',
    true,
    `${target?.label ?? 'The destination'} took the call.`,
    target?.label ?? null,
  );
  s.facts.status = 12;
  if (first) rememberAnswer(turn, leg);
  enter(turn, { name: 'connected', legs, held: false });
  arm(turn, `talk:${name(turn)}`, s.flow.maxTalkSeconds);
  seat(turn);
  // A call that is passed on goes on in the same recording; one its carrier cut off begins another.
  if (
    s.flow.recording.on &&
    (first || s.facts.recordings.findLast((one) => one.kind === 'call')?.state === 'kept')
  )
    record(turn, true);
}

/** Who took the call first, and when: later people stand in the history. */
function rememberAnswer(turn: Turn, leg: Leg): void {
  const { s } = turn;
  const { target } = leg;
  s.facts.connectedAt = turn.now;
  s.facts.answeredAt = leg.answeredAt ?? turn.now;
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

function hold(turn: Turn, on: boolean): boolean {
  const { s } = turn;
  if (s.phase.name !== 'connected' || s.phase.held === on || s.phase.aside?.for === 'consult')
    return false;
  const { legs } = s.phase;
  const outside = outsideOf(turn, legs);
  if (on) {
    if (s.room === undefined) command(turn, { do: 'unbridge', legs });
    command(turn, { do: 'hold', leg: outside, on: true, musicId: musicOf(turn) });
  } else {
    command(turn, { do: 'hold', leg: outside, on: false, musicId: null });
    if (s.room === undefined) command(turn, { do: 'bridge', legs });
  }
  s.phase.held = on;
  seat(turn);
  s.facts.onHold = on;
  note(turn, null, { label: on ? 'Put on hold' : 'Taken off hold' });
  return true;
}

function record(turn: Turn, on: boolean): boolean {
  const { s } = turn;
  if (s.phase.name !== 'connected') return false;
  const running = s.facts.recordings.find((one) => one.kind === 'call' && one.state === 'running');
  if (on === (running !== undefined)) return false;
  if (running !== undefined) {
    running.state = 'stopped';
    command(turn, { do: 'stopRecording', recordingId: running.recordingId });
    note(turn, null, { label: 'Recording stopped' });
    return true;
  }
  const recordingId = name(turn);
  const outside = outsideOf(turn, s.phase.legs);
  const company = s.phase.legs.find((leg) => leg !== outside) ?? s.phase.legs[1];
  // One channel a leg: the caller's side first.
  const legs: [LegId, LegId] = s.kind === 'inbound' ? [outside, company] : [company, outside];
  command(turn, { do: 'startRecording', recordingId, legs });
  s.sides = [[legs[0]], [legs[1]]];
  s.facts.recordings.push({ recordingId, kind: 'call', state: 'running', durationMs: null });
  note(turn, null, { label: 'Recording started' });
  writeSides(turn);
  return true;
}

/** Hold, recording, keys and hang-up asked for on the agent's screen. `decline` belongs to ringing. */
export function screenAsks(
  turn: Turn,
  event: Exclude<ScreenEvent, { type: 'decline' } | PassEvent>,
): boolean {
  const { s } = turn;
  switch (event.type) {
    case 'hold':
      return hold(turn, event.on);
    case 'record':
      return record(turn, event.on);
    case 'sendDigits':
      if (s.phase.name !== 'connected' || s.phase.held) return false;
      command(turn, { do: 'sendDigits', leg: outsideOf(turn, s.phase.legs), digits: event.digits });
      return true;
    case 'hangup':
      return hangUpFromScreen(turn);
  }
}

function hangUpFromScreen(turn: Turn): boolean {
  const { s } = turn;
  const by = s.kind === 'inbound' ? 'callee' : 'caller';
  if (s.phase.name === 'connected') {
    finish(turn, 12, 'The agent hung up.', by);
    return true;
  }
  if (s.kind !== 'outbound' || s.phase.name === 'over' || s.facts.connectedAt !== null)
    return false;
  const status = s.phase.name === 'ringing' ? 11 : 3;
  note(turn, status, { detail: 'The agent hung up' });
  finish(
    turn,
    status,
    'The agent hung up before anyone answered.',
    by,
    status === 11 ? 'ringing' : 'menu',
  );
  return true;
}

/** The other side of a bridge went away. */
export function otherSideLeft(turn: Turn, lost?: boolean): void {
  if (lost) return lineLost(turn, 12);
  finish(
    turn,
    12,
    turn.s.kind === 'inbound' ? 'The agent hung up.' : 'The other side hung up.',
    'callee',
  );
}
