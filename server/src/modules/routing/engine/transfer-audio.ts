/** Who hears whom while a call is passed on: pairs are bridged, more than two people (and supervisors) sit in a room. */
import type { LegId } from '../../../gateways/voice.ts';
import { addCommand, findLeg, newId, type Step } from './step-context.ts';
import type { CallState, Leg, Monitor, Parked, Phase } from './types.ts';

export type Connected = Extract<Phase, { name: 'connected' }>;

/** What someone on hold hears when the route has no music: never ring back, they have already been talking. */
const holdMusicWhileTalking = 1;

export function holdMusicFor(step: Step): number {
  const { s } = step;
  return (
    s.flow.routes.find((one) => one.id === s.facts.routeId)?.holdMusicId ?? holdMusicWhileTalking
  );
}

/** The leg of the person outside: the caller inbound, whoever was called outbound. It keeps this part however the call is passed on. */
export function externalLegOf(s: Pick<CallState, 'kind' | 'legs'>): LegId | null {
  return (
    s.legs.find((leg) => leg.role === (s.kind === 'inbound' ? 'caller' : 'target'))?.id ?? null
  );
}

/** Of two who talk, the one outside; when the outside has left, the first. */
export function externalOf(step: Step, legs: readonly [LegId, LegId]): LegId {
  const external = externalLegOf(step.s);
  return external !== null && legs.includes(external) ? external : legs[0];
}

export const partiesOf = (phase: Connected): LegId[] => [...phase.legs, ...(phase.more ?? [])];

/** Supervisors whose line is up. */
export const activeMonitors = (step: Step): Monitor[] =>
  (step.s.monitors ?? []).filter((one) => findLeg(step, one.leg)?.state === 'connected');

/** Those who speak with each other now. During a consultation the conversation rests, unless it was swapped back to. */
function speakingLegs(step: Step): LegId[] {
  const { phase } = step.s;
  if (phase.name !== 'connected') return [];
  if (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting') return [];
  const external = externalOf(step, phase.legs);
  return partiesOf(phase).filter((leg) => !phase.held || leg !== external);
}

/** Make the carrier's audio what the state says. Bridges of two are left alone where two are enough. */
export function syncAudio(step: Step): void {
  const { s } = step;
  const { phase } = s;
  const wanted =
    phase.name === 'connected' &&
    ((phase.more ?? []).length > 0 || activeMonitors(step).length > 0);
  if (wanted) {
    syncRoom(step);
  } else if (s.room !== undefined) {
    clearRoom(step);
    if (phase.name === 'connected' && speakingLegs(step).length === 2)
      addCommand(step, { do: 'bridge', legs: phase.legs });
  }
  syncRecordingSides(step);
}

function syncRoom(step: Step): void {
  const { s } = step;
  const talkers = speakingLegs(step);
  const external = s.phase.name === 'connected' ? externalOf(step, s.phase.legs) : null;
  const company = talkers.filter((leg) => leg !== external);
  const roles: Record<LegId, string> = {};
  for (const leg of talkers) roles[leg] = 'talk';
  for (const { leg, mode } of activeMonitors(step))
    roles[leg] =
      mode === 'barge' ? 'talk' : mode === 'whisper' ? `whisper ${company.join(' ')}` : 'listen';
  s.room ??= { id: newId(step), roles: {} };
  const { room } = s;
  for (const leg of Object.keys(room.roles))
    if (!(leg in roles) && isUp(findLeg(step, leg)))
      addCommand(step, { do: 'leave', room: room.id, leg });
  for (const [leg, said] of Object.entries(roles)) {
    if (room.roles[leg] === said) continue;
    const role = said.startsWith('whisper') ? 'whisper' : said === 'talk' ? 'talk' : 'listen';
    addCommand(
      step,
      role === 'whisper'
        ? { do: 'join', room: room.id, leg, role, to: company }
        : { do: 'join', room: room.id, leg, role },
    );
  }
  room.roles = roles;
}

/** Nobody is in a room any more. */
export function clearRoom(step: Step): void {
  const { room } = step.s;
  if (room === undefined) return;
  for (const leg of Object.keys(room.roles))
    if (isUp(findLeg(step, leg))) addCommand(step, { do: 'leave', room: room.id, leg });
  delete step.s.room;
}

const isUp = (leg: Leg | undefined): boolean =>
  leg !== undefined && leg.endedAt === null && leg.state !== 'leaving' && leg.state !== 'ended';

/** The conversation of `connected` stops being heard: a room is left, a bridge opened. Who is on hold already stays as they are. */
export function stopConversationAudio(step: Step, phase: Connected): void {
  if (step.s.room !== undefined) {
    for (const leg of partiesOf(phase)) {
      if (!(leg in step.s.room.roles)) continue;
      if (isUp(findLeg(step, leg))) addCommand(step, { do: 'leave', room: step.s.room.id, leg });
      delete step.s.room.roles[leg];
    }
    return;
  }
  if (!phase.held && phase.legs.every((leg) => isUp(findLeg(step, leg))))
    addCommand(step, { do: 'unbridge', legs: phase.legs });
}

/** Who is written down on which channel: the caller's side is 0, the other 1. Company people, and supervisors who speak aloud, share one. */
export function recordingSides(step: Step): [LegId[], LegId[]] {
  const { s } = step;
  const { phase } = s;
  const external = externalLegOf(s);
  const resting =
    phase.name !== 'connected' ||
    (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting');
  const company = resting
    ? []
    : [
        ...partiesOf(phase),
        ...activeMonitors(step)
          .filter((one) => one.mode === 'barge')
          .map((one) => one.leg),
      ].filter((leg) => leg !== external);
  const customer = external === null ? [] : [external];
  return s.kind === 'inbound' ? [customer, company] : [company, customer];
}

/** Tell the carrier when the sides of the running recording have changed. */
export function syncRecordingSides(step: Step): void {
  const { s } = step;
  const running = s.facts.recordings.find((one) => one.kind === 'call' && one.state === 'running');
  if (running === undefined || s.sides === undefined) return;
  const sides = recordingSides(step);
  if (JSON.stringify(sides) === JSON.stringify(s.sides)) return;
  s.sides = sides;
  addCommand(step, { do: 'recordSides', recordingId: running.recordingId, sides });
}

/** The slot a call occupies: waiting in it, or on its way out of it. */
export function parkedOf(phase: Phase): Parked | null {
  if (phase.name === 'parked') return phase.parked;
  return phase.name === 'ringing' && phase.plan.otherwise.then === 'park'
    ? phase.plan.otherwise.parked
    : null;
}
