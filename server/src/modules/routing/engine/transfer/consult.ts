/** A consultation before a transfer: complete, cancel, swap, merge. */
import { connect } from '../connect.ts';
import { releaseLeg } from '../finish.ts';
import {
  addCommand,
  addHistoryEntry,
  enterPhase,
  explain,
  findLeg,
  startTimer,
  type Step,
} from '../step-context.ts';
import type { Leg, TransferEvent } from '../types.ts';
import {
  externalOf,
  holdMusicFor,
  stopConversationAudio,
  syncAudio,
  type Connected,
} from './audio.ts';
import { leaveConversation, returnTarget } from './leave.ts';
import { endSideCall, joinConversation, resumeConversation } from './side-call.ts';

/** Completes, cancels, swaps or merges. The user's leg may have ended already. False: not now. */
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
      cancelConsultation(step, phase, userLeg, leg);
      return true;
    case 'swap':
      if (aside.state === 'ringing') return false;
      swapParties(step, phase, userLeg, leg);
      return true;
    case 'merge':
      if (aside.state === 'ringing') return false;
      mergeParties(step, phase, leg);
      return true;
  }
}

function cancelConsultation(step: Step, phase: Connected, userLeg: Leg, leg: Leg): void {
  addHistoryEntry(step, null, {
    label: 'Transfer canceled',
    leg: leg.id,
    target: leg.target?.label ?? null,
  });
  // Unbridge first: the hangup must find no bridge on the leg.
  if (phase.aside?.state === 'talking')
    addCommand(step, { do: 'unbridge', legs: [userLeg.id, leg.id] });
  releaseLeg(step, leg, 'callerLeft');
  endSideCall(step, phase, null);
}

function mergeParties(step: Step, phase: Connected, leg: Leg): void {
  const held = phase.aside?.state === 'talking' ? externalOf(step, phase.legs) : leg.id;
  addCommand(step, { do: 'hold', leg: held, on: false, musicId: null });
  phase.held = false;
  step.s.facts.onHold = false;
  delete phase.aside;
  joinConversation(step, phase, leg);
}

/** Puts the consulted party on hold and resumes the conversation, or the reverse. */
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

/** The requesting user leaves; the consulted party gets the call, or keeps ringing for it. */
function finishTransfer(step: Step, phase: Connected, userLeg: Leg, leg: Leg): void {
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
    const by = userLeg.target?.label ?? 'The agent';
    const because = `${by} transferred the call to ${leg.target?.label ?? 'them'}.`;
    explain(step, 'route', 'transfer', true, because, leg.target?.key ?? null);
    connect(step, leg);
    return;
  }
  ringOnForCaller(step, userLeg, leg);
}

/** The consulted party has not answered yet: its leg keeps ringing, now for the waiting party. */
function ringOnForCaller(step: Step, userLeg: Leg, leg: Leg): void {
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
      routeId: step.s.facts.routeId,
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
