/** A call beside the conversation: asked before the call is passed on, or added to it. */
import { connect } from './connect.ts';
import { letGo } from './finish.ts';
import { createLeg } from './ring.ts';
import { back, leave } from './transfer-leave.ts';
import { musicOf, outsideOf, seat, silence, type Connected } from './transfer-audio.ts';
import { arm, command, disarm, enter, legOf, newLeg, note, why, type Turn } from './turn.ts';
import type { Leg, PassEvent, Target } from './types.ts';

/** More voices than this and nobody understands a word. */
const mostPeople = 6;

/** Ring somebody beside the conversation. For a consultation the other party waits with music, and the one who asks hears ring back. */
export function callAside(
  turn: Turn,
  phase: Connected,
  mine: Leg,
  target: Target,
  why_: 'add' | 'consult',
): boolean {
  const { s } = turn;
  const outside = outsideOf(turn, phase.legs);
  if (mine.id === outside || 2 + (phase.more ?? []).length >= mostPeople) return false;
  if (why_ === 'consult') {
    silence(turn, phase);
    if (!phase.held) command(turn, { do: 'hold', leg: outside, on: true, musicId: musicOf(turn) });
    command(turn, { do: 'hold', leg: mine.id, on: true, musicId: null });
    phase.held = true;
    s.facts.onHold = true;
  }
  const leg = newLeg(turn, 'target', target, null);
  phase.aside = { leg: leg.id, for: why_, by: mine.id, state: 'ringing' };
  createLeg(turn, leg, target, s.firstLeg);
  arm(turn, `aside:${leg.id}`, target.timeoutSeconds);
  const by = mine.target?.label ?? 'The agent';
  note(turn, null, {
    label: why_ === 'consult' ? 'Consulting' : 'Adding',
    leg: leg.id,
    target: target.label,
    detail: `By ${by}`,
  });
  why(
    turn,
    'ring',
    why_ === 'consult' ? 'consult' : 'add',
    true,
    why_ === 'consult'
      ? `${by} asks ${target.label} before passing the call on.`
      : `${by} adds ${target.label} to the call.`,
    target.key,
  );
  if (why_ === 'consult') seat(turn);
  return true;
}

/** Somebody beside the conversation picked up. False = this leg is not such. */
export function asideAnswered(turn: Turn, leg: Leg): boolean {
  const { phase } = turn.s;
  if (phase.name !== 'connected' || phase.aside?.leg !== leg.id) return false;
  const { aside } = phase;
  disarm(turn, `aside:${leg.id}`);
  leg.answeredAt = turn.now;
  leg.state = 'connected';
  note(turn, 6, { leg: leg.id, target: leg.target?.label ?? null });
  if (aside.for === 'consult') {
    aside.state = 'talking';
    command(turn, { do: 'hold', leg: aside.by, on: false, musicId: null });
    command(turn, { do: 'bridge', legs: [aside.by, leg.id] });
    return true;
  }
  delete phase.aside;
  joins(turn, phase, leg);
  return true;
}

function joins(turn: Turn, phase: Connected, leg: Leg): void {
  phase.more = [...(phase.more ?? []), leg.id];
  note(turn, 12, {
    leg: leg.id,
    target: leg.target?.label ?? null,
    detail: 'Three or more people talk',
  });
  why(
    turn,
    'connect',
    'conference',
    true,
    `${leg.target?.label ?? 'A third person'} joined the conversation.`,
    leg.target?.label ?? null,
  );
  seat(turn);
}

/** One user's app declines to be asked or added. */
export function asideDeclined(turn: Turn, userId: number): boolean {
  const { phase } = turn.s;
  const leg =
    phase.name === 'connected' && phase.aside !== undefined
      ? legOf(turn, phase.aside.leg)
      : undefined;
  if (
    phase.name !== 'connected' ||
    leg?.state !== 'ringing' ||
    leg.target?.to.kind !== 'app' ||
    leg.target.to.userId !== userId
  )
    return false;
  note(turn, 7, { leg: leg.id, target: leg.target.label, detail: 'declined' });
  letGo(turn, leg, 'timeout');
  asideResumes(turn, phase, null);
  return true;
}

/** Whoever is asked, or being added, hangs up on the screen; the others go on. False = this user is not beside the conversation. */
export function askedLeaves(turn: Turn, phase: Connected, userId: number): boolean {
  const { aside } = phase;
  const leg = aside === undefined ? undefined : legOf(turn, aside.leg);
  if (aside === undefined || leg?.target?.to.kind !== 'app' || leg.target.to.userId !== userId)
    return false;
  if (leg.state === 'ringing') return asideDeclined(turn, userId);
  if (aside.state === 'talking') command(turn, { do: 'unbridge', legs: [aside.by, leg.id] });
  letGo(turn, leg, 'callerLeft');
  asideResumes(turn, phase, null);
  return true;
}

/** Whoever was beside the conversation is gone (`left`: by themselves); the two talk again. */
export function asideResumes(turn: Turn, phase: Connected, left: Leg | null): void {
  const { s } = turn;
  const { aside } = phase;
  if (aside === undefined) return;
  if (left !== null && left.answeredAt === null) {
    const refused = left.cause === 'declined' || left.cause === 'rejected';
    note(turn, refused ? 7 : 5, {
      leg: left.id,
      target: left.target?.label ?? null,
      detail: refused ? 'declined' : left.cause === 'busy' ? 'busy' : 'no answer',
    });
  }
  disarm(turn, `aside:${aside.leg}`);
  delete phase.aside;
  if (aside.for === 'add' || aside.state === 'waiting') {
    seat(turn);
    return;
  }
  if (aside.state === 'ringing')
    command(turn, { do: 'hold', leg: aside.by, on: false, musicId: null });
  takeBack(turn, phase);
  s.facts.onHold = false;
}

/** The other party leaves the music and talks again. */
function takeBack(turn: Turn, phase: Connected): void {
  command(turn, { do: 'hold', leg: outsideOf(turn, phase.legs), on: false, musicId: null });
  phase.held = false;
  turn.s.facts.onHold = false;
  if (turn.s.room === undefined && (phase.more ?? []).length === 0)
    command(turn, { do: 'bridge', legs: phase.legs });
  seat(turn);
}

/** Complete, cancel, swap or merge. `mine` may have left already. */
export function asideAsked(
  turn: Turn,
  phase: Connected,
  event: Extract<PassEvent, { type: 'completeTransfer' | 'cancelTransfer' | 'swap' | 'merge' }>,
  mine: Leg,
): boolean {
  const { aside } = phase;
  const leg = aside === undefined ? undefined : legOf(turn, aside.leg);
  if (aside?.for !== 'consult' || leg === undefined || aside.by !== mine.id) return false;
  switch (event.type) {
    case 'completeTransfer':
      complete(turn, phase, mine, leg);
      return true;
    case 'cancelTransfer':
      note(turn, null, {
        label: 'Transfer cancelled',
        leg: leg.id,
        target: leg.target?.label ?? null,
      });
      // Nobody is bridged to a leg that goes.
      if (aside.state === 'talking') command(turn, { do: 'unbridge', legs: [mine.id, leg.id] });
      letGo(turn, leg, 'callerLeft');
      asideResumes(turn, phase, null);
      return true;
    case 'swap':
      if (aside.state === 'ringing') return false;
      swap(turn, phase, mine, leg);
      return true;
    case 'merge':
      if (aside.state === 'ringing') return false;
      if (aside.state === 'talking')
        command(turn, { do: 'hold', leg: outsideOf(turn, phase.legs), on: false, musicId: null });
      else command(turn, { do: 'hold', leg: leg.id, on: false, musicId: null });
      phase.held = false;
      turn.s.facts.onHold = false;
      delete phase.aside;
      joins(turn, phase, leg);
      return true;
  }
}

function swap(turn: Turn, phase: Connected, mine: Leg, leg: Leg): void {
  const { aside } = phase;
  if (aside === undefined) return;
  if (aside.state === 'talking') {
    command(turn, { do: 'unbridge', legs: [mine.id, leg.id] });
    command(turn, { do: 'hold', leg: leg.id, on: true, musicId: musicOf(turn) });
    aside.state = 'waiting';
    takeBack(turn, phase);
    return;
  }
  silence(turn, phase);
  command(turn, { do: 'hold', leg: outsideOf(turn, phase.legs), on: true, musicId: musicOf(turn) });
  command(turn, { do: 'hold', leg: leg.id, on: false, musicId: null });
  aside.state = 'talking';
  phase.held = true;
  turn.s.facts.onHold = true;
  command(turn, { do: 'bridge', legs: [mine.id, leg.id] });
  seat(turn);
}

/** The one who asked goes; whoever was asked gets the call, or goes on ringing for it. */
function complete(turn: Turn, phase: Connected, mine: Leg, leg: Leg): void {
  const { s } = turn;
  const state = phase.aside?.state ?? 'talking';
  const gone = mine.endedAt !== null;
  delete phase.aside;
  note(turn, null, {
    label: 'Transferred',
    leg: mine.id,
    target: leg.target?.label ?? null,
    detail: `By ${mine.target?.label ?? 'the agent'}`,
  });
  if (state === 'talking' && !gone) command(turn, { do: 'unbridge', legs: [mine.id, leg.id] });
  if (state === 'waiting') command(turn, { do: 'hold', leg: leg.id, on: false, musicId: null });
  leave(turn, phase, mine);
  if (state !== 'ringing') {
    why(
      turn,
      'route',
      'transfer',
      true,
      `${mine.target?.label ?? 'The agent'} passed the call on to ${leg.target?.label ?? 'them'}.`,
      leg.target?.key ?? null,
    );
    connect(turn, leg);
    return;
  }
  // Nobody has picked up yet: it rings on, now for the one who waits.
  const target = leg.target ?? back(mine);
  leg.group = 0;
  enter(turn, {
    name: 'ringing',
    beganAt: turn.now,
    nextGroup: 1,
    offered: 1,
    refused: 0,
    winner: null,
    plan: {
      routeId: s.facts.routeId,
      groups: [{ targets: [target], startAfter: 0, confirm: null }],
      holdMusicId: musicOf(turn),
      otherwise: {
        then: 'back',
        target: back(mine),
        because: `${target.label} did not take the call.`,
      },
    },
  });
  arm(
    turn,
    `ring:${leg.id}`,
    Math.max(1, target.timeoutSeconds - (turn.now - leg.startedAt) / 1000),
  );
}
