/** Who hears whom while a call is passed on: pairs are bridged, more than two people (and supervisors) sit in a room. */
import type { LegId } from '../../../ports/voice.ts';
import { command, legOf, name, type Turn } from './turn.ts';
import type { CallState, Leg, Monitor, Parked, Phase } from './types.ts';

export type Connected = Extract<Phase, { name: 'connected' }>;

/** What someone on hold hears when the route has no music: never ring back, they have already been talking. */
const holdMusicWhileTalking = 1;

export function musicOf(turn: Turn): number {
  const { s } = turn;
  return (
    s.flow.routes.find((one) => one.id === s.facts.routeId)?.holdMusicId ?? holdMusicWhileTalking
  );
}

/** The leg of the person outside: the caller inbound, whoever was called outbound. It keeps this part however the call is passed on. */
export function outsideLegOf(s: Pick<CallState, 'kind' | 'legs'>): LegId | null {
  return (
    s.legs.find((leg) => leg.role === (s.kind === 'inbound' ? 'caller' : 'target'))?.id ?? null
  );
}

/** Of two who talk, the one outside; when the outside has left, the first. */
export function outsideOf(turn: Turn, legs: readonly [LegId, LegId]): LegId {
  const outside = outsideLegOf(turn.s);
  return outside !== null && legs.includes(outside) ? outside : legs[0];
}

export const peopleOf = (phase: Connected): LegId[] => [...phase.legs, ...(phase.more ?? [])];

/** Supervisors whose line is up. */
export const watching = (turn: Turn): Monitor[] =>
  (turn.s.monitors ?? []).filter((one) => legOf(turn, one.leg)?.state === 'connected');

/** Those who speak with each other now. During a consultation the conversation rests, unless it was swapped back to. */
function speaking(turn: Turn): LegId[] {
  const { phase } = turn.s;
  if (phase.name !== 'connected') return [];
  if (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting') return [];
  const outside = outsideOf(turn, phase.legs);
  return peopleOf(phase).filter((leg) => !phase.held || leg !== outside);
}

/** Make the carrier's audio what the state says. Bridges of two are left alone where two are enough. */
export function seat(turn: Turn): void {
  const { s } = turn;
  const { phase } = s;
  const wanted =
    phase.name === 'connected' && ((phase.more ?? []).length > 0 || watching(turn).length > 0);
  if (wanted) {
    seatRoom(turn);
  } else if (s.room !== undefined) {
    clearRoom(turn);
    if (phase.name === 'connected' && speaking(turn).length === 2)
      command(turn, { do: 'bridge', legs: phase.legs });
  }
  writeSides(turn);
}

function seatRoom(turn: Turn): void {
  const { s } = turn;
  const talkers = speaking(turn);
  const outside = s.phase.name === 'connected' ? outsideOf(turn, s.phase.legs) : null;
  const company = talkers.filter((leg) => leg !== outside);
  const roles: Record<LegId, string> = {};
  for (const leg of talkers) roles[leg] = 'talk';
  for (const { leg, mode } of watching(turn))
    roles[leg] =
      mode === 'barge' ? 'talk' : mode === 'whisper' ? `whisper ${company.join(' ')}` : 'listen';
  s.room ??= { id: name(turn), roles: {} };
  const { room } = s;
  for (const leg of Object.keys(room.roles))
    if (!(leg in roles) && isUp(legOf(turn, leg)))
      command(turn, { do: 'leave', room: room.id, leg });
  for (const [leg, said] of Object.entries(roles)) {
    if (room.roles[leg] === said) continue;
    const role = said.startsWith('whisper') ? 'whisper' : said === 'talk' ? 'talk' : 'listen';
    command(
      turn,
      role === 'whisper'
        ? { do: 'join', room: room.id, leg, role, to: company }
        : { do: 'join', room: room.id, leg, role },
    );
  }
  room.roles = roles;
}

/** Nobody is in a room any more. */
export function clearRoom(turn: Turn): void {
  const { room } = turn.s;
  if (room === undefined) return;
  for (const leg of Object.keys(room.roles))
    if (isUp(legOf(turn, leg))) command(turn, { do: 'leave', room: room.id, leg });
  delete turn.s.room;
}

const isUp = (leg: Leg | undefined): boolean =>
  leg !== undefined && leg.endedAt === null && leg.state !== 'leaving' && leg.state !== 'ended';

/** The conversation of `connected` stops being heard: a room is left, a bridge opened. Who is on hold already stays as they are. */
export function silence(turn: Turn, phase: Connected): void {
  if (turn.s.room !== undefined) {
    for (const leg of peopleOf(phase)) {
      if (!(leg in turn.s.room.roles)) continue;
      if (isUp(legOf(turn, leg))) command(turn, { do: 'leave', room: turn.s.room.id, leg });
      delete turn.s.room.roles[leg];
    }
    return;
  }
  if (!phase.held && phase.legs.every((leg) => isUp(legOf(turn, leg))))
    command(turn, { do: 'unbridge', legs: phase.legs });
}

/** Who is written down on which channel: the caller's side is 0, the other 1. Company people, and supervisors who speak aloud, share one. */
export function sidesNow(turn: Turn): [LegId[], LegId[]] {
  const { s } = turn;
  const { phase } = s;
  const outside = outsideLegOf(s);
  const resting =
    phase.name !== 'connected' ||
    (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting');
  const company = resting
    ? []
    : [
        ...peopleOf(phase),
        ...watching(turn)
          .filter((one) => one.mode === 'barge')
          .map((one) => one.leg),
      ].filter((leg) => leg !== outside);
  const customer = outside === null ? [] : [outside];
  return s.kind === 'inbound' ? [customer, company] : [company, customer];
}

/** Tell the carrier when the sides of the running recording have changed. */
export function writeSides(turn: Turn): void {
  const { s } = turn;
  const running = s.facts.recordings.find((one) => one.kind === 'call' && one.state === 'running');
  if (running === undefined || s.sides === undefined) return;
  const sides = sidesNow(turn);
  if (JSON.stringify(sides) === JSON.stringify(s.sides)) return;
  s.sides = sides;
  command(turn, { do: 'recordSides', recordingId: running.recordingId, sides });
}

/** The slot a call occupies: waiting in it, or on its way out of it. */
export function parkedOf(phase: Phase): Parked | null {
  if (phase.name === 'parked') return phase.parked;
  return phase.name === 'ringing' && phase.plan.otherwise.then === 'park'
    ? phase.plan.otherwise.parked
    : null;
}
