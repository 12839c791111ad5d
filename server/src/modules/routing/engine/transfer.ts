/**
 * A call is passed on: blind and attended transfer, park, third persons, supervisors. Everything that rings is a RingPlan
 * of the same executor; only who waits meanwhile is decided here.
 */
import { releaseLeg } from './finish.ts';
import { fallbackEnding, park, ringTarget } from './ring.ts';
import { routeCall } from './route.ts';
import {
  consultedUserLeaves,
  handleConsultEvent,
  endSideCall,
  startSideCall,
} from './transfer-side-call.ts';
import { externalOf, partiesOf, syncAudio, type Connected } from './transfer-audio.ts';
import { returnTarget, leaveConversation } from './transfer-leave.ts';
import { handleMonitorEvent } from './transfer-monitor.ts';
import { addCommand, findLeg, addHistoryEntry, explain, type Step } from './step-context.ts';
import type { Leg, Parked, TransferEvent, TransferTo, Target } from './types.ts';

/** What people ask for during a call that passes it on. False = it makes no sense now. */
export function handleTransferEvent(step: Step, event: TransferEvent): boolean {
  const { s } = step;
  const { phase } = s;
  if (event.type === 'unpark')
    return phase.name === 'parked' && unpark(step, phase.parked, event.target);
  if (phase.name !== 'connected')
    return event.type === 'stopMonitor' && handleMonitorEvent(step, event);
  if (event.type === 'monitor' || event.type === 'stopMonitor')
    return handleMonitorEvent(step, event);
  const mine = findUserLeg(step, phase, event.by);
  if (mine === undefined) return false;
  switch (event.type) {
    case 'transfer': {
      if (phase.aside !== undefined || (phase.more ?? []).length > 0) return false;
      if (!event.ask) return blindTransfer(step, phase, mine, event.to);
      return (
        event.to.kind === 'target' && startSideCall(step, phase, mine, event.to.target, 'consult')
      );
    }
    case 'park': {
      if (phase.aside !== undefined || (phase.more ?? []).length > 0) return false;
      const parked: Parked = {
        slot: event.slot,
        by: returnTarget(mine),
        since: step.now,
        until: step.now + event.seconds * 1000,
      };
      addHistoryEntry(step, null, {
        label: 'Parked',
        leg: mine.id,
        target: mine.target?.label ?? null,
        detail: `Slot ${event.slot}`,
      });
      leaveConversation(step, phase, mine);
      park(
        step,
        parked,
        `${mine.target?.label ?? 'The agent'} parked the call in slot ${event.slot}.`,
      );
      return true;
    }
    case 'add':
      return (
        phase.aside === undefined &&
        !phase.held &&
        startSideCall(step, phase, mine, event.target, 'add')
      );
    case 'remove':
      return removeParty(step, phase, event.leg);
    default:
      return handleConsultEvent(step, phase, event, mine);
  }
}

/** The line of one of our users in the conversation. */
export function findUserLeg(step: Step, phase: Connected, userId: number): Leg | undefined {
  return partiesOf(phase)
    .map((id) => findLeg(step, id))
    .find((leg) => leg?.target?.to.kind === 'app' && leg.target.to.userId === userId);
}

/** Blind: the call rings on elsewhere at once, and comes back when nobody takes it. */
function blindTransfer(step: Step, phase: Connected, userLeg: Leg, to: TransferTo): boolean {
  const { s } = step;
  const by = userLeg.target?.label ?? 'The agent';
  if (to.kind === 'route' && !s.flow.routes.some((one) => one.id === to.routeId)) return false;
  if (externalOf(step, phase.legs) === userLeg.id) return false;
  const route =
    to.kind === 'route' ? s.flow.routes.find((one) => one.id === to.routeId) : undefined;
  const label =
    to.kind === 'target' ? to.target.label : route?.label || `extension ${route?.extension ?? ''}`;
  addHistoryEntry(step, null, {
    label: 'Transferred',
    leg: userLeg.id,
    target: label,
    detail: `By ${by}`,
  });
  leaveConversation(step, phase, userLeg);
  // A person decided anew: what was tried before may be tried again.
  s.visited = [];
  if (to.kind === 'route') {
    s.refusedKeys = [];
    routeCall(step, to.routeId, `${by} transferred the call to ${label}.`);
  } else {
    explain(
      step,
      'route',
      'transfer',
      true,
      `${by} transferred the call to ${label}.`,
      to.target.key,
    );
    ringTarget(step, to.target, {
      then: 'back',
      target: returnTarget(userLeg),
      because: `${label} didn’t take the call.`,
    });
  }
  return true;
}

function unpark(step: Step, parked: Parked, target: Target): boolean {
  addHistoryEntry(step, null, {
    label: 'Retrieved',
    target: target.label,
    detail: `Slot ${parked.slot}`,
  });
  explain(
    step,
    'route',
    'retrieve',
    true,
    `${target.label} retrieves the call from slot ${parked.slot}.`,
    target.key,
  );
  ringTarget(step, target, {
    then: 'park',
    parked,
    because: `${target.label} didn’t retrieve it.`,
  });
  return true;
}

function removeParty(step: Step, phase: Connected, id: string): boolean {
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

/** One of three or more went; the others go on. */
export function leaveOneOfMany(step: Step, phase: Connected, leg: Leg): void {
  const { s } = step;
  const external = externalOf(step, phase.legs);
  const [one = '', other = '', ...more] = partiesOf(phase).filter((id) => id !== leg.id);
  if (leg.id === external) {
    phase.held = false;
    s.facts.onHold = false;
    const running = s.facts.recordings.find((it) => it.kind === 'call' && it.state === 'running');
    // Nobody outside is left to record; what was said before is kept.
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

/** A leg went that is not the whole call: a supervisor, someone beside the conversation, one of three. False = not such a leg. */
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
 * A person hangs up on the screen. With others in the call, or a transfer begun, only that person goes; who listens in, or is
 * only asked, never ends the call of others. Null: it is the whole call that ends.
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

/** A timer of what stands here came due (it is already disarmed). */
export function handleTransferTimer(step: Step, id: string): boolean {
  const { phase } = step.s;
  const leg = findLeg(step, id.slice(id.indexOf(':') + 1));
  if (id.startsWith('park:')) {
    if (phase.name !== 'parked') return false;
    const { by, slot } = phase.parked;
    addHistoryEntry(step, null, {
      label: 'Park timed out',
      target: by.label,
      detail: `Slot ${slot}`,
    });
    explain(
      step,
      'route',
      'park',
      false,
      `No one retrieved the call from slot ${slot}, so it returns to ${by.label}.`,
      by.key,
    );
    ringTarget(step, by, fallbackEnding(step, `${by.label} didn’t take it back.`));
    return true;
  }
  if (leg === undefined || leg.state !== 'ringing') return false;
  if (id.startsWith('aside:') && phase.name === 'connected' && phase.aside?.leg === leg.id) {
    addHistoryEntry(step, 5, {
      leg: leg.id,
      target: leg.target?.label ?? null,
      detail: `no answer within ${leg.target?.timeoutSeconds ?? 0} s`,
    });
    releaseLeg(step, leg, 'timeout');
    endSideCall(step, phase, null);
    return true;
  }
  if (id.startsWith('watch:')) {
    releaseLeg(step, leg, 'timeout');
    return extraPartyLeft(step, leg);
  }
  return false;
}
