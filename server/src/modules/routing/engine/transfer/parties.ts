/** Parties that leave a call while others stay in it. */
import { releaseLeg } from '../finish.ts';
import { addCommand, addHistoryEntry, findLeg, type Step } from '../step-context.ts';
import type { Leg } from '../types.ts';
import { externalOf, partiesOf, syncAudio, type Connected } from './audio.ts';
import { handleConsultEvent } from './consult.ts';
import { handleMonitorEvent } from './monitor.ts';
import { consultedUserLeaves, endSideCall } from './side-call.ts';

/** The leg of one of our users in the conversation; undefined: not in it. */
export function findUserLeg(step: Step, phase: Connected, userId: number): Leg | undefined {
  return partiesOf(phase)
    .map((id) => findLeg(step, id))
    .find((leg) => leg?.target?.to.kind === 'app' && leg.target.to.userId === userId);
}

/** Drops a third party on request. False: the leg is not one. */
export function removeParty(step: Step, phase: Connected, id: string): boolean {
  const leg = findLeg(step, id);
  if (leg === undefined) return false;
  if (phase.aside?.leg === id && phase.aside.for === 'add') {
    releaseLeg(step, leg, 'callerLeft');
    endSideCall(step, phase, null);
    return true;
  }
  if (!(phase.more ?? []).includes(id)) return false;
  releaseLeg(step, leg, 'callerLeft');
  addHistoryEntry(step, null, { label: 'Removed', leg: id, target: leg.target?.label ?? null });
  leaveOneOfMany(step, phase, leg);
  return true;
}

/** One of three or more parties left; the others stay connected. */
function leaveOneOfMany(step: Step, phase: Connected, leg: Leg): void {
  const { s } = step;
  const external = externalOf(step, phase.legs);
  const [one = '', other = '', ...more] = partiesOf(phase).filter((id) => id !== leg.id);
  if (leg.id === external) {
    phase.held = false;
    s.facts.onHold = false;
    const running = s.facts.recordings.find(
      (one) => one.kind === 'call' && one.state === 'running',
    );
    // The external party is gone: stop recording, keep what was recorded.
    if (running !== undefined) {
      running.state = 'stopped';
      addCommand(step, { do: 'stopRecording', recordingId: running.recordingId });
    }
  }
  phase.legs = [one, other];
  phase.more = more;
  if (s.firstLeg === leg.id) s.firstLeg = one;
  if (s.room !== undefined) delete s.room.roles[leg.id];
  if (leg.state !== 'leaving')
    addHistoryEntry(step, null, { label: 'Left', leg: leg.id, target: leg.target?.label ?? null });
  syncAudio(step);
}

/**
 * A leg ended whose end does not end the call: a supervisor, a side call, one of three parties.
 * False: the leg is none of these.
 */
export function extraPartyLeft(step: Step, leg: Leg): boolean {
  const { s } = step;
  const { phase } = s;
  if (leg.role === 'monitor') {
    s.monitors = (s.monitors ?? []).filter((one) => one.leg !== leg.id);
    if (s.room !== undefined) delete s.room.roles[leg.id];
    syncAudio(step);
    return true;
  }
  if (phase.name !== 'connected') return false;
  const { aside } = phase;
  if (aside?.leg === leg.id) {
    endSideCall(step, phase, leg);
    return true;
  }
  if (!partiesOf(phase).includes(leg.id)) return false;
  if (aside?.for === 'consult' && aside.by === leg.id)
    return handleConsultEvent(step, phase, { type: 'completeTransfer', by: 0 }, leg);
  if ((phase.more ?? []).length === 0) return false;
  leaveOneOfMany(step, phase, leg);
  return true;
}

/**
 * A user hangs up in the app. With others in the call or a transfer begun, only that user leaves;
 * a supervisor or consulted user never ends the call of others. True or false: handled, whether
 * anything changed; null: the whole call ends.
 */
export function agentLeaves(step: Step, userId: number | undefined): boolean | null {
  const { phase } = step.s;
  if (userId === undefined) return null;
  if (step.s.monitors?.some((one) => one.userId === userId))
    return handleMonitorEvent(step, { type: 'stopMonitor', userId });
  if (phase.name !== 'connected') return null;
  const mine = findUserLeg(step, phase, userId);
  if (mine === undefined) return consultedUserLeaves(step, phase, userId);
  if (phase.aside?.for === 'consult' && phase.aside.by === mine.id)
    return handleConsultEvent(step, phase, { type: 'completeTransfer', by: userId }, mine);
  if ((phase.more ?? []).length === 0) return null;
  releaseLeg(step, mine, 'callerLeft');
  leaveOneOfMany(step, phase, mine);
  return true;
}
