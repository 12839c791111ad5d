/**
 * A call is passed on: blind and attended transfer, park, third persons, supervisors. Everything that rings is a RingPlan
 * of the same executor; only who waits meanwhile is decided here.
 */
import { letGo } from './finish.ts';
import { lastResort, park, ringOne } from './ring.ts';
import { routeCall } from './route.ts';
import { askedLeaves, asideAsked, asideResumes, callAside } from './transfer-aside.ts';
import { outsideOf, peopleOf, seat, type Connected } from './transfer-audio.ts';
import { back, leave } from './transfer-leave.ts';
import { monitorAsked } from './transfer-monitor.ts';
import { command, legOf, note, why, type Turn } from './turn.ts';
import type { Leg, Parked, PassEvent, PassTo, Target } from './types.ts';

/** What people ask for during a call that passes it on. False = it makes no sense now. */
export function passAsked(turn: Turn, event: PassEvent): boolean {
  const { s } = turn;
  const { phase } = s;
  if (event.type === 'unpark')
    return phase.name === 'parked' && unpark(turn, phase.parked, event.target);
  if (phase.name !== 'connected') return event.type === 'stopMonitor' && monitorAsked(turn, event);
  if (event.type === 'monitor' || event.type === 'stopMonitor') return monitorAsked(turn, event);
  const mine = legOfUser(turn, phase, event.by);
  if (mine === undefined) return false;
  switch (event.type) {
    case 'transfer': {
      if (phase.aside !== undefined || (phase.more ?? []).length > 0) return false;
      if (!event.ask) return passOn(turn, phase, mine, event.to);
      return event.to.kind === 'target' && callAside(turn, phase, mine, event.to.target, 'consult');
    }
    case 'park': {
      if (phase.aside !== undefined || (phase.more ?? []).length > 0) return false;
      const parked: Parked = {
        slot: event.slot,
        by: back(mine),
        since: turn.now,
        until: turn.now + event.seconds * 1000,
      };
      note(turn, null, {
        label: 'Parked',
        leg: mine.id,
        target: mine.target?.label ?? null,
        detail: `Slot ${event.slot}`,
      });
      leave(turn, phase, mine);
      park(
        turn,
        parked,
        `${mine.target?.label ?? 'The agent'} parked the call in slot ${event.slot}.`,
      );
      return true;
    }
    case 'add':
      return (
        phase.aside === undefined &&
        !phase.held &&
        callAside(turn, phase, mine, event.target, 'add')
      );
    case 'remove':
      return remove(turn, phase, event.leg);
    default:
      return asideAsked(turn, phase, event, mine);
  }
}

/** The line of one of our users in the conversation. */
export function legOfUser(turn: Turn, phase: Connected, userId: number): Leg | undefined {
  return peopleOf(phase)
    .map((id) => legOf(turn, id))
    .find((leg) => leg?.target?.to.kind === 'app' && leg.target.to.userId === userId);
}

/** Blind: the call rings on elsewhere at once, and comes back when nobody takes it. */
function passOn(turn: Turn, phase: Connected, mine: Leg, to: PassTo): boolean {
  const { s } = turn;
  const by = mine.target?.label ?? 'The agent';
  if (to.kind === 'route' && !s.flow.routes.some((one) => one.id === to.routeId)) return false;
  if (outsideOf(turn, phase.legs) === mine.id) return false;
  const route =
    to.kind === 'route' ? s.flow.routes.find((one) => one.id === to.routeId) : undefined;
  const label =
    to.kind === 'target' ? to.target.label : route?.label || `extension ${route?.extension ?? ''}`;
  note(turn, null, { label: 'Transferred', leg: mine.id, target: label, detail: `By ${by}` });
  leave(turn, phase, mine);
  // A person decided anew: what was tried before may be tried again.
  s.visited = [];
  if (to.kind === 'route') {
    s.refusedKeys = [];
    routeCall(turn, to.routeId, `${by} transferred the call to ${label}.`);
  } else {
    why(turn, 'route', 'transfer', true, `${by} transferred the call to ${label}.`, to.target.key);
    ringOne(turn, to.target, {
      then: 'back',
      target: back(mine),
      because: `${label} did not take the call.`,
    });
  }
  return true;
}

function unpark(turn: Turn, parked: Parked, target: Target): boolean {
  note(turn, null, { label: 'Retrieved', target: target.label, detail: `Slot ${parked.slot}` });
  why(
    turn,
    'route',
    'retrieve',
    true,
    `${target.label} takes the call from slot ${parked.slot}.`,
    target.key,
  );
  ringOne(turn, target, {
    then: 'park',
    parked,
    because: `${target.label} did not take it after all.`,
  });
  return true;
}

function remove(turn: Turn, phase: Connected, id: string): boolean {
  const leg = legOf(turn, id);
  if (leg === undefined) return false;
  if (phase.aside?.leg === id && phase.aside.for === 'add') {
    letGo(turn, leg, 'callerLeft');
    asideResumes(turn, phase, null);
    return true;
  }
  if (!(phase.more ?? []).includes(id)) return false;
  letGo(turn, leg, 'callerLeft');
  note(turn, null, { label: 'Removed', leg: id, target: leg.target?.label ?? null });
  personLeft(turn, phase, leg);
  return true;
}

/** One of three or more went; the others go on. */
export function personLeft(turn: Turn, phase: Connected, leg: Leg): void {
  const { s } = turn;
  const outside = outsideOf(turn, phase.legs);
  const [one = '', other = '', ...more] = peopleOf(phase).filter((id) => id !== leg.id);
  if (leg.id === outside) {
    phase.held = false;
    s.facts.onHold = false;
    const running = s.facts.recordings.find((it) => it.kind === 'call' && it.state === 'running');
    // Nobody outside is left to record; what was said before is kept.
    if (running !== undefined) {
      running.state = 'stopped';
      command(turn, { do: 'stopRecording', recordingId: running.recordingId });
    }
  }
  phase.legs = [one, other];
  phase.more = more;
  if (s.firstLeg === leg.id) s.firstLeg = one;
  if (s.room !== undefined) delete s.room.roles[leg.id];
  if (leg.state !== 'leaving')
    note(turn, null, { label: 'Left', leg: leg.id, target: leg.target?.label ?? null });
  seat(turn);
}

/** A leg went that is not the whole call: a supervisor, someone beside the conversation, one of three. False = not such a leg. */
export function partyLeft(turn: Turn, leg: Leg): boolean {
  const { s } = turn;
  const { phase } = s;
  if (leg.role === 'monitor') {
    s.monitors = (s.monitors ?? []).filter((one) => one.leg !== leg.id);
    if (s.room !== undefined) delete s.room.roles[leg.id];
    seat(turn);
    return true;
  }
  if (phase.name !== 'connected') return false;
  const { aside } = phase;
  if (aside?.leg === leg.id) {
    asideResumes(turn, phase, leg);
    return true;
  }
  if (!peopleOf(phase).includes(leg.id)) return false;
  if (aside?.for === 'consult' && aside.by === leg.id)
    return asideAsked(turn, phase, { type: 'completeTransfer', by: 0 }, leg);
  if ((phase.more ?? []).length === 0) return false;
  personLeft(turn, phase, leg);
  return true;
}

/**
 * A person hangs up on the screen. With others in the call, or a transfer begun, only that person goes; who listens in, or is
 * only asked, never ends the call of others. Null: it is the whole call that ends.
 */
export function agentLeaves(turn: Turn, userId: number | undefined): boolean | null {
  const { phase } = turn.s;
  if (userId === undefined) return null;
  if (turn.s.monitors?.some((one) => one.userId === userId))
    return monitorAsked(turn, { type: 'stopMonitor', userId });
  if (phase.name !== 'connected') return null;
  const mine = legOfUser(turn, phase, userId);
  if (mine === undefined) return askedLeaves(turn, phase, userId);
  if (phase.aside?.for === 'consult' && phase.aside.by === mine.id)
    return asideAsked(turn, phase, { type: 'completeTransfer', by: userId }, mine);
  if ((phase.more ?? []).length === 0) return null;
  letGo(turn, mine, 'callerLeft');
  personLeft(turn, phase, mine);
  return true;
}

/** A timer of what stands here came due (it is already disarmed). */
export function passTimer(turn: Turn, id: string): boolean {
  const { phase } = turn.s;
  const leg = legOf(turn, id.slice(id.indexOf(':') + 1));
  if (id.startsWith('park:')) {
    if (phase.name !== 'parked') return false;
    const { by, slot } = phase.parked;
    note(turn, null, { label: 'Park timed out', target: by.label, detail: `Slot ${slot}` });
    why(
      turn,
      'route',
      'park',
      false,
      `Nobody took the call from slot ${slot}: it comes back to ${by.label}.`,
      by.key,
    );
    ringOne(turn, by, lastResort(turn, `${by.label} did not take it back.`));
    return true;
  }
  if (leg === undefined || leg.state !== 'ringing') return false;
  if (id.startsWith('aside:') && phase.name === 'connected' && phase.aside?.leg === leg.id) {
    note(turn, 5, {
      leg: leg.id,
      target: leg.target?.label ?? null,
      detail: `no answer within ${leg.target?.timeoutSeconds ?? 0} s`,
    });
    letGo(turn, leg, 'timeout');
    asideResumes(turn, phase, null);
    return true;
  }
  if (id.startsWith('watch:')) {
    letGo(turn, leg, 'timeout');
    return partyLeft(turn, leg);
  }
  return false;
}
