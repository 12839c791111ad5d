/** Executes a ring plan: rings its groups in order until the call is taken or no one is left. */
import { playAndHangUp } from '../finish.ts';
import { fallbackEnding } from './plan.ts';
import { startNextGroup, type Ringing } from './legs.ts';
import {
  addCommand,
  addHistoryEntry,
  answerFirstLeg,
  enterPhase,
  explain,
  pendingLegs,
  startTimer,
  type Step,
} from '../step-context.ts';
import { holdMusicFor } from '../transfer/audio.ts';
import type { Ending, Parked, RingPlan, Target } from '../types.ts';
import { sendToVoicemail } from '../voicemail.ts';

/** Starts a plan. The first leg waits with hold music or ringback; an empty plan ends at once. */
export function ringPlan(step: Step, plan: RingPlan): void {
  const { s } = step;
  if (plan.groups.length === 0) {
    applyEnding(step, plan.otherwise, null);
    return;
  }
  if (plan.holdMusicId !== null) answerFirstLeg(step);
  if (s.answered && !s.waiting) {
    s.waiting = true;
    addCommand(step, { do: 'hold', leg: s.firstLeg, on: true, musicId: plan.holdMusicId });
  }
  s.facts.ringingAt ??= step.now;
  const phase: Ringing = {
    name: 'ringing',
    plan,
    beganAt: step.now,
    nextGroup: 0,
    offered: 0,
    refused: 0,
    winner: null,
  };
  enterPhase(step, phase);
  plan.groups.forEach((group, index) => {
    if (index > 0 && group.startAfter !== 'previous')
      startTimer(step, `group:${index}`, group.startAfter);
  });
  ringNextOrEnd(step, phase);
}

/** When nothing rings any more: the next group, or the end of the plan. */
export function ringNextOrEnd(step: Step, phase: Ringing): void {
  while (
    phase.winner === null &&
    pendingLegs(step).length === 0 &&
    phase.nextGroup < phase.plan.groups.length
  )
    startNextGroup(step, phase);
  if (phase.winner === null && pendingLegs(step).length === 0)
    applyEnding(step, phase.plan.otherwise, phase);
}

function applyEnding(step: Step, ending: Ending, phase: Ringing | null): void {
  const { s } = step;
  if (phase !== null && s.facts.connectedAt === null)
    s.facts.ringSeconds = Math.round((step.now - phase.beganAt) / 1000);
  if (ending.then === 'back' || ending.then === 'park') {
    returnCall(step, ending);
    return;
  }
  if (ending.then === 'voicemail') {
    const route = s.flow.routes.find((one) => one.id === s.facts.routeId);
    sendToVoicemail(step, route?.voicemail.greeting ?? null, ending.because);
    return;
  }
  const everyoneRefused = phase !== null && phase.offered > 0 && phase.refused === phase.offered;
  playAndHangUp(
    step,
    ending.prompts,
    everyoneRefused ? 7 : ending.status,
    everyoneRefused ? 'Every destination declined.' : ending.because,
  );
}

/** A call put back into its slot stays there at least this long, ms. */
const minParkMs = 1000;

/** Rings one destination; the waiting party hears hold music. */
export const ringTarget = (step: Step, target: Target, otherwise: Ending): void =>
  ringTargets(step, [target], otherwise);

/** Rings these at once, also who refused the call before; the waiting party hears hold music. */
export function ringTargets(step: Step, targets: Target[], otherwise: Ending): void {
  const keys = new Set(targets.map(({ key }) => key));
  step.s.refusedKeys = step.s.refusedKeys.filter((key) => !keys.has(key));
  ringPlan(step, {
    routeId: step.s.facts.routeId,
    groups: [{ targets, startAfter: 0, confirm: null }],
    holdMusicId: holdMusicFor(step),
    otherwise,
  } satisfies RingPlan);
}

/** No one took a transferred call: park it again, or ring the user who transferred it. */
function returnCall(step: Step, ending: Extract<Ending, { then: 'back' | 'park' }>): void {
  if (ending.then === 'park') {
    park(step, ending.parked, ending.because);
    return;
  }
  addHistoryEntry(step, null, {
    label: 'Returned',
    target: ending.target.label,
    detail: ending.because,
  });
  explain(
    step,
    'route',
    'return',
    true,
    `${ending.because} It returns to ${ending.target.label}.`,
    ending.target.key,
  );
  ringTarget(
    step,
    ending.target,
    fallbackEnding(step.s.flow, `${ending.target.label} didn’t take it back.`),
  );
}

/** Puts the waiting party into a parking slot. */
export function park(step: Step, parked: Parked, because: string): void {
  const { s } = step;
  if (!s.waiting)
    addCommand(step, { do: 'hold', leg: s.firstLeg, on: true, musicId: holdMusicFor(step) });
  s.waiting = true;
  explain(step, 'route', 'park', true, because, `slot ${parked.slot}`);
  enterPhase(step, { name: 'parked', parked });
  startTimer(step, `park:${parked.slot}`, Math.max(minParkMs, parked.until - step.now) / 1000);
}
