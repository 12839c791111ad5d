/** A leg beside the conversation: consulted before a transfer, or being added to the call. */
import { releaseLeg } from '../finish.ts';
import { createLeg } from '../ringing/legs.ts';
import {
  addCommand,
  addHistoryEntry,
  addLeg,
  cancelTimer,
  explain,
  findLeg,
  startTimer,
  type Step,
} from '../step-context.ts';
import type { Leg, Target } from '../types.ts';
import {
  externalOf,
  holdMusicFor,
  stopConversationAudio,
  syncAudio,
  type Connected,
} from './audio.ts';

/** The most parties in one conversation. */
const maxParties = 6;

/**
 * Rings a third party. During a consultation the other party hears hold music and the requesting
 * user hears ringback. False: the user is the external party, or the call is full.
 */
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

/** The side call was answered. False: this leg is not a side call. */
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

/** Makes a side call part of the conversation. */
export function joinConversation(step: Step, phase: Connected, leg: Leg): void {
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

/** A user declines a side call in the app. False: no side call rings that user. */
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

/**
 * The user of a side call hangs up in the app; the others stay connected. False: this user has no
 * side call.
 */
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

/**
 * Ends the side call and resumes the conversation. `left`: its leg if that ended first, null if we
 * released it.
 */
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

/** Takes the other party off hold and reconnects the conversation. */
export function resumeConversation(step: Step, phase: Connected): void {
  addCommand(step, { do: 'hold', leg: externalOf(step, phase.legs), on: false, musicId: null });
  phase.held = false;
  step.s.facts.onHold = false;
  if (step.s.room === undefined && (phase.more ?? []).length === 0)
    addCommand(step, { do: 'bridge', legs: phase.legs });
  syncAudio(step);
}
