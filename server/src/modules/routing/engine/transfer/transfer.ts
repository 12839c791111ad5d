/**
 * Blind and attended transfer, park, third parties, supervisors. Whatever rings is a RingPlan of
 * the same executor; only who waits meanwhile is decided here.
 */
import { releaseLeg } from '../finish.ts';
import { fallbackEnding, noAnswerEnding } from '../ringing/plan.ts';
import { park, ringPlan, ringTarget, ringTargets } from '../ringing/ring.ts';
import { routeCall } from '../route.ts';
import { addHistoryEntry, explain, findLeg, type Step } from '../step-context.ts';
import type { Leg, Parked, Target, TransferEvent, TransferTo } from '../types.ts';
import { externalOf, type Connected } from './audio.ts';
import { handleConsultEvent } from './consult.ts';
import { leaveConversation, returnTarget } from './leave.ts';
import { handleMonitorEvent } from './monitor.ts';
import { extraPartyLeft, findUserLeg, removeParty } from './parties.ts';
import { endSideCall, startSideCall } from './side-call.ts';

/** A transfer, park, conference or monitoring request. False: it does not apply now. */
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
    case 'transfer':
      if (!twoPartiesOnly(phase)) return false;
      if (!event.ask) return blindTransfer(step, phase, mine, event.to);
      return (
        event.to.kind === 'target' && startSideCall(step, phase, mine, event.to.target, 'consult')
      );
    case 'park':
      return twoPartiesOnly(phase) && parkCall(step, phase, mine, event);
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

/** No third party and no side call: only then can a call be transferred or parked. */
const twoPartiesOnly = (phase: Connected): boolean =>
  phase.aside === undefined && (phase.more ?? []).length === 0;

function parkCall(
  step: Step,
  phase: Connected,
  userLeg: Leg,
  event: Extract<TransferEvent, { type: 'park' }>,
): boolean {
  const parked: Parked = {
    slot: event.slot,
    by: returnTarget(userLeg),
    since: step.now,
    until: step.now + event.seconds * 1000,
  };
  addHistoryEntry(step, null, {
    label: 'Parked',
    leg: userLeg.id,
    target: userLeg.target?.label ?? null,
    detail: `Slot ${event.slot}`,
  });
  leaveConversation(step, phase, userLeg);
  const by = userLeg.target?.label ?? 'The agent';
  park(step, parked, `${by} parked the call in slot ${event.slot}.`);
  return true;
}

/** Blind transfer: rings elsewhere at once, and rings back when no one answers. */
function blindTransfer(step: Step, phase: Connected, userLeg: Leg, to: TransferTo): boolean {
  const { s } = step;
  const by = userLeg.target?.label ?? 'The agent';
  if (to.kind === 'route' && !s.flow.routes.some((one) => one.id === to.routeId)) return false;
  if (externalOf(step, phase.legs) === userLeg.id) return false;
  const route =
    to.kind === 'route' ? s.flow.routes.find((one) => one.id === to.routeId) : undefined;
  const label =
    to.kind === 'route' ? route?.label || `extension ${route?.extension ?? ''}` : rungBy(to).label;
  addHistoryEntry(step, null, {
    label: 'Transferred',
    leg: userLeg.id,
    target: label,
    detail: `By ${by}`,
  });
  leaveConversation(step, phase, userLeg);
  // A user chose a new destination: routes tried before may be tried again.
  s.visited = [];
  const because = `${by} transferred the call to ${label}.`;
  if (to.kind === 'route') {
    s.refusedKeys = [];
    routeCall(step, to.routeId, because);
    return true;
  }
  const { key, targets, untaken } = rungBy(to);
  explain(step, 'route', 'transfer', true, because, key);
  if (to.kind === 'target' && to.pause !== undefined) leaveUnanswered(step, to.target, to.pause);
  else
    ringTargets(step, targets, {
      then: 'back',
      target: returnTarget(userLeg),
      because: untaken,
    });
  return true;
}

/** What a transfer rings, and what is said when it isn't taken. */
const rungBy = (to: Exclude<TransferTo, { kind: 'route' }>) =>
  to.kind === 'team'
    ? { ...to, untaken: `No one in ${to.label} took the call.` }
    : {
        key: to.target.key,
        label: to.target.label,
        targets: [to.target],
        untaken: `${to.target.label} didn’t take the call.`,
      };

/** The destination takes no calls now: what follows an unanswered call of its route. */
function leaveUnanswered(step: Step, target: Target, because: string): void {
  const { flow, facts } = step.s;
  explain(step, 'ring', 'not ringing', false, because, target.key);
  const route = flow.routes.find((one) => one.id === facts.routeId);
  ringPlan(step, {
    routeId: facts.routeId,
    groups: [],
    holdMusicId: null,
    otherwise: route ? noAnswerEnding(route, flow, because, 8) : fallbackEnding(flow, because),
  });
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

/** A parked call was not retrieved in time: rings the user who parked it. */
function parkTimedOut(step: Step, { by, slot }: Parked): void {
  addHistoryEntry(step, null, {
    label: 'Park timed out',
    target: by.label,
    detail: `Slot ${slot}`,
  });
  const because = `No one retrieved the call from slot ${slot}, so it returns to ${by.label}.`;
  explain(step, 'route', 'park', false, because, by.key);
  ringTarget(step, by, fallbackEnding(step.s.flow, `${by.label} didn’t take it back.`));
}

/** A transfer timer fired (already removed from the state). False: not one of ours. */
export function handleTransferTimer(step: Step, id: string): boolean {
  const { phase } = step.s;
  if (id.startsWith('park:')) {
    if (phase.name !== 'parked') return false;
    parkTimedOut(step, phase.parked);
    return true;
  }
  const leg = findLeg(step, id.slice(id.indexOf(':') + 1));
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
