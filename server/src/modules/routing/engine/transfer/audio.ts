/**
 * Who hears whom: two legs are bridged; more than two, or any supervisor, share a conference room.
 */
import type { LegId } from '../../../../gateways/voice.ts';
import { addCommand, findLeg, newId, type Step } from '../step-context.ts';
import type { CallState, Leg, Monitor, Parked, Phase } from '../types.ts';

export type Connected = Extract<Phase, { name: 'connected' }>;

/** Default hold music id when the route has none: no ringback once people have talked. */
const holdMusicWhileTalking = 1;

/** The hold music id of the current route. */
export function holdMusicFor(step: Step): number {
  const { s } = step;
  return (
    s.flow.routes.find((one) => one.id === s.facts.routeId)?.holdMusicId ?? holdMusicWhileTalking
  );
}

/**
 * The external party: the caller inbound, the called party outbound. Transfers do not change it.
 * Null: that leg doesn't exist yet.
 */
export function externalLegOf(s: Pick<CallState, 'kind' | 'legs'>): LegId | null {
  return (
    s.legs.find((leg) => leg.role === (s.kind === 'inbound' ? 'caller' : 'target'))?.id ?? null
  );
}

/** The external leg of the two; the first one when the external party has left. */
export function externalOf(step: Step, legs: readonly [LegId, LegId]): LegId {
  const external = externalLegOf(step.s);
  return external !== null && legs.includes(external) ? external : legs[0];
}

/** All legs of the conversation, without supervisors and side calls. */
export const partiesOf = (phase: Connected): LegId[] => [...phase.legs, ...(phase.more ?? [])];

/** Supervisors whose leg is connected. */
export const activeMonitors = (step: Step): Monitor[] =>
  (step.s.monitors ?? []).filter((one) => findLeg(step, one.leg)?.state === 'connected');

/** The legs that talk to each other now. None during a consultation, unless it was swapped back. */
function speakingLegs(step: Step): LegId[] {
  const { phase } = step.s;
  if (phase.name !== 'connected') return [];
  if (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting') return [];
  const external = externalOf(step, phase.legs);
  return partiesOf(phase).filter((leg) => !phase.held || leg !== external);
}

/** Commands the audio that the state implies. A bridge of two legs is kept while two suffice. */
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

/** Joins, moves and removes legs until the room has the roles the state implies. */
function syncRoom(step: Step): void {
  const { s } = step;
  const talkers = speakingLegs(step);
  const external = s.phase.name === 'connected' ? externalOf(step, s.phase.legs) : null;
  const company = talkers.filter((leg) => leg !== external);
  const roles: Record<LegId, string> = {};
  for (const leg of talkers) roles[leg] = 'talk';
  // A whisper role names its listeners, so that it is sent again when they change.
  const monitorRoles = {
    barge: 'talk',
    whisper: `whisper ${company.join(' ')}`,
    listen: 'listen',
  };
  for (const { leg, mode } of activeMonitors(step)) roles[leg] = monitorRoles[mode];
  s.room ??= { id: newId(step), roles: {} };
  const { room } = s;
  for (const leg of Object.keys(room.roles))
    if (!(leg in roles) && isUp(findLeg(step, leg)))
      addCommand(step, { do: 'leave', room: room.id, leg });
  for (const [leg, role] of Object.entries(roles)) {
    if (room.roles[leg] === role) continue;
    const join = { do: 'join', room: room.id, leg } as const;
    if (role.startsWith('whisper')) addCommand(step, { ...join, role: 'whisper', to: company });
    else addCommand(step, { ...join, role: role === 'talk' ? 'talk' : 'listen' });
  }
  room.roles = roles;
}

/** Takes every leg out of the room and closes it. */
export function clearRoom(step: Step): void {
  const { room } = step.s;
  if (room === undefined) return;
  for (const leg of Object.keys(room.roles))
    if (isUp(findLeg(step, leg))) addCommand(step, { do: 'leave', room: room.id, leg });
  delete step.s.room;
}

const isUp = (leg: Leg | undefined): boolean =>
  leg !== undefined && leg.endedAt === null && leg.state !== 'leaving' && leg.state !== 'ended';

/** Silences the conversation: leaves the room or opens the bridge. A leg on hold stays on hold. */
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

/**
 * The legs recorded on each channel: the calling side is 0, the other 1. Our users and barging
 * supervisors share one channel.
 */
function recordingSides(step: Step): [LegId[], LegId[]] {
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

/** Sends the channels of the running recording to the carrier if they changed. */
export function syncRecordingSides(step: Step): void {
  const { s } = step;
  const running = s.facts.recordings.find((one) => one.kind === 'call' && one.state === 'running');
  if (running === undefined || s.sides === undefined) return;
  const sides = recordingSides(step);
  if (JSON.stringify(sides) === JSON.stringify(s.sides)) return;
  s.sides = sides;
  addCommand(step, { do: 'recordSides', recordingId: running.recordingId, sides });
}

/** The parking slot a call occupies, also while it is being retrieved; null = none. */
export function parkedOf(phase: Phase): Parked | null {
  if (phase.name === 'parked') return phase.parked;
  return phase.name === 'ringing' && phase.plan.otherwise.then === 'park'
    ? phase.plan.otherwise.parked
    : null;
}
