/** A call beside the conversation: asked before the call is passed on, or added to it. */
import { connect } from './connect.ts';
import { releaseLeg } from './finish.ts';
import { createLeg } from './ring.ts';
import { returnTarget, leaveConversation } from './transfer-leave.ts';
import {
  holdMusicFor,
  externalOf,
  syncAudio,
  stopConversationAudio,
  type Connected,
} from './transfer-audio.ts';
import {
  startTimer,
  addCommand,
  cancelTimer,
  enterPhase,
  findLeg,
  addLeg,
  addHistoryEntry,
  explain,
  type Step,
} from './step-context.ts';
import type { Leg, TransferEvent, Target } from './types.ts';

/** More voices than this and nobody understands a word. */
const maxParties = 6;

/** Ring somebody beside the conversation. For a consultation the other party waits with music, and the one who asks hears ring back. */
export function startSideCall(
  step: Step,
  phase: Connected,
  userLeg: Leg,
  target: Target,
  purpose: 'add' | 'consult',
): boolean {
  const { s } = step;
  const external = externalOf(step, phase.legs);
  if (userLeg.id === external || 2 + (phase.more ?? []).length >= maxParties) return false;
  if (purpose === 'consult') {
    stopConversationAudio(step, phase);
    if (!phase.held)
      addCommand(step, { do: 'hold', leg: external, on: true, musicId: holdMusicFor(step) });
    addCommand(step, { do: 'hold', leg: userLeg.id, on: true, musicId: null });
    phase.held = true;
    s.facts.onHold = true;
  }
  const leg = addLeg(step, 'target', target, null);
  phase.aside = { leg: leg.id, for: purpose, by: userLeg.id, state: 'ringing' };
  createLeg(step, leg, target, s.firstLeg);
  startTimer(step, `aside:${leg.id}`, target.timeoutSeconds);
  const by = userLeg.target?.label ?? 'The agent';
  addHistoryEntry(step, null, {
    label: purpose === 'consult' ? 'Consulting' : 'Adding',
    leg: leg.id,
    target: target.label,
    detail: `By ${by}`,
  });
  explain(
    step,
    'ring',
    purpose === 'consult' ? 'consult' : 'add',
    true,
    purpose === 'consult'
      ? `${by} asks ${target.label} before transferring the call.`
      : `${by} adds ${target.label} to the call.`,
    target.key,
  );
  if (purpose === 'consult') syncAudio(step);
  return true;
}

/** Somebody beside the conversation picked up. False = this leg is not such. */
export function sideCallAnswered(step: Step, leg: Leg): boolean {
  const { phase } = step.s;
  if (phase.name !== 'connected' || phase.aside?.leg !== leg.id) return false;
  const { aside } = phase;
  cancelTimer(step, `aside:${leg.id}`);
  leg.answeredAt = step.now;
  leg.state = 'connected';
  addHistoryEntry(step, 6, { leg: leg.id, target: leg.target?.label ?? null });
  if (aside.for === 'consult') {
    aside.state = 'talking';
    addCommand(step, { do: 'hold', leg: aside.by, on: false, musicId: null });
    addCommand(step, { do: 'bridge', legs: [aside.by, leg.id] });
    return true;
  }
  delete phase.aside;
  joinConversation(step, phase, leg);
  return true;
}

function joinConversation(step: Step, phase: Connected, leg: Leg): void {
  phase.more = [...(phase.more ?? []), leg.id];
  addHistoryEntry(step, 12, {
    leg: leg.id,
    target: leg.target?.label ?? null,
    detail: 'Conference started',
  });
  explain(
    step,
    'connect',
    'conference',
    true,
    `${leg.target?.label ?? 'A third person'} joined the conversation.`,
    leg.target?.label ?? null,
  );
  syncAudio(step);
}

/** One user's app declines to be asked or added. */
export function sideCallDeclined(step: Step, userId: number): boolean {
  const { phase } = step.s;
  const leg =
    phase.name === 'connected' && phase.aside !== undefined
      ? findLeg(step, phase.aside.leg)
      : undefined;
  if (
    phase.name !== 'connected' ||
    leg?.state !== 'ringing' ||
    leg.target?.to.kind !== 'app' ||
    leg.target.to.userId !== userId
  )
    return false;
  addHistoryEntry(step, 7, { leg: leg.id, target: leg.target.label, detail: 'declined' });
  releaseLeg(step, leg, 'timeout');
  endSideCall(step, phase, null);
  return true;
}

/** Whoever is asked, or being added, hangs up on the screen; the others go on. False = this user is not beside the conversation. */
export function consultedUserLeaves(step: Step, phase: Connected, userId: number): boolean {
  const { aside } = phase;
  const leg = aside === undefined ? undefined : findLeg(step, aside.leg);
  if (aside === undefined || leg?.target?.to.kind !== 'app' || leg.target.to.userId !== userId)
    return false;
  if (leg.state === 'ringing') return sideCallDeclined(step, userId);
  if (aside.state === 'talking') addCommand(step, { do: 'unbridge', legs: [aside.by, leg.id] });
  releaseLeg(step, leg, 'callerLeft');
  endSideCall(step, phase, null);
  return true;
}

/** Whoever was beside the conversation is gone (`left`: by themselves); the two talk again. */
export function endSideCall(step: Step, phase: Connected, left: Leg | null): void {
  const { s } = step;
  const { aside } = phase;
  if (aside === undefined) return;
  if (left !== null && left.answeredAt === null) {
    const refused = left.cause === 'declined' || left.cause === 'rejected';
    addHistoryEntry(step, refused ? 7 : 5, {
      leg: left.id,
      target: left.target?.label ?? null,
      detail: refused ? 'declined' : left.cause === 'busy' ? 'busy' : 'no answer',
    });
  }
  cancelTimer(step, `aside:${aside.leg}`);
  delete phase.aside;
  if (aside.for === 'add' || aside.state === 'waiting') {
    syncAudio(step);
    return;
  }
  if (aside.state === 'ringing')
    addCommand(step, { do: 'hold', leg: aside.by, on: false, musicId: null });
  resumeConversation(step, phase);
  s.facts.onHold = false;
}

/** The other party leaves the music and talks again. */
function resumeConversation(step: Step, phase: Connected): void {
  addCommand(step, { do: 'hold', leg: externalOf(step, phase.legs), on: false, musicId: null });
  phase.held = false;
  step.s.facts.onHold = false;
  if (step.s.room === undefined && (phase.more ?? []).length === 0)
    addCommand(step, { do: 'bridge', legs: phase.legs });
  syncAudio(step);
}

/** Complete, cancel, swap or merge. `mine` may have left already. */
export function handleConsultEvent(
  step: Step,
  phase: Connected,
  event: Extract<TransferEvent, { type: 'completeTransfer' | 'cancelTransfer' | 'swap' | 'merge' }>,
  userLeg: Leg,
): boolean {
  const { aside } = phase;
  const leg = aside === undefined ? undefined : findLeg(step, aside.leg);
  if (aside?.for !== 'consult' || leg === undefined || aside.by !== userLeg.id) return false;
  switch (event.type) {
    case 'completeTransfer':
      finishTransfer(step, phase, userLeg, leg);
      return true;
    case 'cancelTransfer':
      addHistoryEntry(step, null, {
        label: 'Transfer canceled',
        leg: leg.id,
        target: leg.target?.label ?? null,
      });
      // Nobody is bridged to a leg that goes.
      if (aside.state === 'talking')
        addCommand(step, { do: 'unbridge', legs: [userLeg.id, leg.id] });
      releaseLeg(step, leg, 'callerLeft');
      endSideCall(step, phase, null);
      return true;
    case 'swap':
      if (aside.state === 'ringing') return false;
      swapParties(step, phase, userLeg, leg);
      return true;
    case 'merge':
      if (aside.state === 'ringing') return false;
      if (aside.state === 'talking')
        addCommand(step, {
          do: 'hold',
          leg: externalOf(step, phase.legs),
          on: false,
          musicId: null,
        });
      else addCommand(step, { do: 'hold', leg: leg.id, on: false, musicId: null });
      phase.held = false;
      step.s.facts.onHold = false;
      delete phase.aside;
      joinConversation(step, phase, leg);
      return true;
  }
}

function swapParties(step: Step, phase: Connected, userLeg: Leg, leg: Leg): void {
  const { aside } = phase;
  if (aside === undefined) return;
  if (aside.state === 'talking') {
    addCommand(step, { do: 'unbridge', legs: [userLeg.id, leg.id] });
    addCommand(step, { do: 'hold', leg: leg.id, on: true, musicId: holdMusicFor(step) });
    aside.state = 'waiting';
    resumeConversation(step, phase);
    return;
  }
  stopConversationAudio(step, phase);
  addCommand(step, {
    do: 'hold',
    leg: externalOf(step, phase.legs),
    on: true,
    musicId: holdMusicFor(step),
  });
  addCommand(step, { do: 'hold', leg: leg.id, on: false, musicId: null });
  aside.state = 'talking';
  phase.held = true;
  step.s.facts.onHold = true;
  addCommand(step, { do: 'bridge', legs: [userLeg.id, leg.id] });
  syncAudio(step);
}

/** The one who asked goes; whoever was asked gets the call, or goes on ringing for it. */
function finishTransfer(step: Step, phase: Connected, userLeg: Leg, leg: Leg): void {
  const { s } = step;
  const state = phase.aside?.state ?? 'talking';
  const gone = userLeg.endedAt !== null;
  delete phase.aside;
  addHistoryEntry(step, null, {
    label: 'Transferred',
    leg: userLeg.id,
    target: leg.target?.label ?? null,
    detail: `By ${userLeg.target?.label ?? 'the agent'}`,
  });
  if (state === 'talking' && !gone)
    addCommand(step, { do: 'unbridge', legs: [userLeg.id, leg.id] });
  if (state === 'waiting') addCommand(step, { do: 'hold', leg: leg.id, on: false, musicId: null });
  leaveConversation(step, phase, userLeg);
  if (state !== 'ringing') {
    explain(
      step,
      'route',
      'transfer',
      true,
      `${userLeg.target?.label ?? 'The agent'} transferred the call to ${leg.target?.label ?? 'them'}.`,
      leg.target?.key ?? null,
    );
    connect(step, leg);
    return;
  }
  // Nobody has picked up yet: it rings on, now for the one who waits.
  const target = leg.target ?? returnTarget(userLeg);
  leg.group = 0;
  enterPhase(step, {
    name: 'ringing',
    beganAt: step.now,
    nextGroup: 1,
    offered: 1,
    refused: 0,
    winner: null,
    plan: {
      routeId: s.facts.routeId,
      groups: [{ targets: [target], startAfter: 0, confirm: null }],
      holdMusicId: holdMusicFor(step),
      otherwise: {
        then: 'back',
        target: returnTarget(userLeg),
        because: `${target.label} didn’t take the call.`,
      },
    },
  });
  startTimer(
    step,
    `ring:${leg.id}`,
    Math.max(1, target.timeoutSeconds - (step.now - leg.startedAt) / 1000),
  );
}
