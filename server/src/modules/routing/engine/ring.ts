/** The executor: rings the groups of a plan in order until somebody takes the call or nobody is left. */
import type { LegEndCause, LegId } from '../../../gateways/voice.ts';
import { connect } from './connect.ts';
import { playAndHangUp, releaseLeg } from './finish.ts';
import { holdMusicFor } from './transfer-audio.ts';
import {
  answerFirstLeg,
  startTimer,
  addCommand,
  cancelTimer,
  enterPhase,
  startGuardTimer,
  addLeg,
  addHistoryEntry,
  pendingLegs,
  explain,
  type Step,
} from './step-context.ts';
import type { Ending, Leg, Parked, Phase, RingPlan, Target } from './types.ts';
import { keyName, dtmfOfKey, promptSeconds, sayPrompt } from './labels.ts';
import { sendToVoicemail } from './voicemail.ts';

type Ringing = Extract<Phase, { name: 'ringing' }>;

/** The carrier stops ringing by itself a little later than we do, should we be down just then. */
const carrierBackstopSeconds = 3;

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

function startNextGroup(step: Step, phase: Ringing): void {
  const { s } = step;
  const i = phase.nextGroup;
  const group = phase.plan.groups[i];
  phase.nextGroup += 1;
  cancelTimer(step, `group:${i}`);
  for (const target of group?.targets ?? []) {
    if (s.refusedKeys.includes(target.key)) {
      explain(
        step,
        'ring',
        'once only',
        false,
        `${target.label} was busy or declined before and isn’t rung again.`,
        target.key,
      );
      continue;
    }
    const leg = addLeg(step, 'target', target, i);
    phase.offered += 1;
    createLeg(step, leg, target, s.firstLeg);
    startTimer(step, `ring:${leg.id}`, target.timeoutSeconds);
    addHistoryEntry(step, null, { label: 'Ringing', leg: leg.id, target: target.label });
    explain(
      step,
      'ring',
      'ring',
      true,
      `Ringing ${target.label} for up to ${target.timeoutSeconds} s.`,
      target.key,
    );
  }
}

export function createLeg(step: Step, leg: Leg, target: Target, onBehalfOf: LegId): void {
  addCommand(step, {
    do: 'createLeg',
    leg: leg.id,
    to: target.to,
    callerId: target.callerId,
    callerName: step.s.callerName ?? undefined,
    timeoutSeconds: target.timeoutSeconds + carrierBackstopSeconds,
    onBehalfOf,
  });
}

/** Nothing rings: the next group, or the end of the plan. */
function ringNextOrEnd(step: Step, phase: Ringing): void {
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

/** What a destination must do before it gets the caller: a key of its own goes before the route's. */
function confirmFor(phase: Ringing, leg: Leg): Ringing['plan']['groups'][number]['confirm'] {
  const group = phase.plan.groups[leg.group ?? 0]?.confirm ?? null;
  const own = leg.target?.confirmKey ?? null;
  return own === null ? group : { waitSeconds: 10, whisper: [], ...group, key: own };
}

/** A destination picked up. */
export function targetAnswered(step: Step, phase: Ringing, leg: Leg): void {
  const { s } = step;
  const confirm = confirmFor(phase, leg);
  leg.state = 'answered';
  leg.answeredAt = step.now;
  if (leg.target?.digits)
    addCommand(step, { do: 'sendDigits', leg: leg.id, digits: leg.target.digits });
  cancelTimer(step, `ring:${leg.id}`);
  addHistoryEntry(step, 6, { leg: leg.id, target: leg.target?.label ?? null });
  s.facts.status = 6;
  // Pressing "accept" in the app is a person already: only telephones are asked for the key.
  if (confirm !== null && confirm.key !== null && leg.target?.to.kind !== 'app') {
    const prompts = [
      ...confirm.whisper,
      sayPrompt(`Press ${keyName(confirm.key)} to take this call.`),
    ];
    leg.state = 'confirming';
    const commandId = addCommand(step, {
      do: 'gather',
      leg: leg.id,
      prompts,
      maxDigits: 1,
      timeoutSeconds: confirm.waitSeconds,
    });
    s.confirming[commandId] = leg.id;
    startTimer(step, `confirm:${leg.id}`, promptSeconds(prompts) * 2 + confirm.waitSeconds + 5);
    explain(
      step,
      'confirm',
      'confirm key',
      true,
      `${leg.target?.label ?? 'The destination'} answered and is asked to press ${keyName(confirm.key)}.`,
      leg.target?.key ?? null,
    );
    return;
  }
  for (const other of pendingLegs(step)) {
    if (other.id !== leg.id) cancelAnsweredElsewhere(step, other);
  }
  if (confirm !== null && confirm.whisper.length > 0) {
    phase.winner = {
      leg: leg.id,
      commandId: addCommand(step, { do: 'whisper', leg: leg.id, prompts: confirm.whisper }),
    };
    step.s.timers = [];
    startGuardTimer(step, promptSeconds(confirm.whisper) * 2 + 10);
    return;
  }
  connect(step, leg);
}

function cancelAnsweredElsewhere(step: Step, leg: Leg): void {
  addHistoryEntry(step, 9, { leg: leg.id, target: leg.target?.label ?? null });
  releaseLeg(step, leg, 'answeredElsewhere');
}

/** The gather for the confirm key ended. */
export function handleConfirmKey(
  step: Step,
  phase: Ringing,
  leg: Leg,
  commandId: string,
  digits: string,
): void {
  const key = confirmFor(phase, leg)?.key ?? null;
  delete step.s.confirming[commandId];
  cancelTimer(step, `confirm:${leg.id}`);
  if (key !== null && digits === dtmfOfKey(key)) {
    explain(
      step,
      'confirm',
      'confirm key',
      true,
      `${leg.target?.label ?? 'The destination'} pressed ${keyName(key)}.`,
      leg.target?.key ?? null,
    );
    for (const other of pendingLegs(step)) {
      if (other.id !== leg.id) cancelAnsweredElsewhere(step, other);
    }
    connect(step, leg);
    return;
  }
  markDeclined(step, phase, leg, digits === '' ? 'confirm key not pressed' : 'another key pressed');
  releaseLeg(step, leg, 'timeout');
  ringNextOrEnd(step, phase);
}

function markDeclined(step: Step, phase: Ringing, leg: Leg, detail: string): void {
  phase.refused += 1;
  if (leg.target !== null) step.s.refusedKeys.push(leg.target.key);
  addHistoryEntry(step, 7, { leg: leg.id, target: leg.target?.label ?? null, detail });
  explain(
    step,
    'ring',
    'rejected',
    false,
    `${leg.target?.label ?? 'The destination'} didn’t take the call: ${detail}.`,
    leg.target?.key ?? null,
  );
}

function markMissed(step: Step, leg: Leg, detail: string): void {
  addHistoryEntry(step, 5, { leg: leg.id, target: leg.target?.label ?? null, detail });
  explain(
    step,
    'ring',
    'no answer',
    false,
    `${leg.target?.label ?? 'The destination'} didn’t answer: ${detail}.`,
    leg.target?.key ?? null,
  );
}

/** A destination's leg ended while the plan runs. */
export function targetEnded(step: Step, phase: Ringing, leg: Leg, cause: LegEndCause): void {
  const before = leg.state;
  leg.state = 'ended';
  cancelTimer(step, `ring:${leg.id}`);
  cancelTimer(step, `confirm:${leg.id}`);
  if (before === 'leaving') return;
  if (phase.winner?.leg === leg.id) {
    phase.winner = null;
    step.s.timers = [];
    markDeclined(step, phase, leg, 'hung up before the caller was connected');
  } else if (before === 'confirming') {
    markDeclined(step, phase, leg, 'hung up without pressing the confirm key');
  } else if (cause === 'declined' || cause === 'rejected') {
    markDeclined(step, phase, leg, 'declined');
  } else if (cause === 'busy') {
    // Busy did not decline, but A7.1 never dials it again either.
    if (leg.target !== null) step.s.refusedKeys.push(leg.target.key);
    markMissed(step, leg, 'busy');
  } else {
    markMissed(step, leg, cause === 'failed' ? 'could not be reached' : 'no answer');
  }
  ringNextOrEnd(step, phase);
}

/** One user declined in the app: their leg ends, the others ring on. */
export function userDeclined(step: Step, phase: Ringing, userId: number): boolean {
  const leg = pendingLegs(step).find(
    (one) => one.target?.to.kind === 'app' && one.target.to.userId === userId,
  );
  if (leg === undefined || leg.state !== 'ringing') return false;
  cancelTimer(step, `ring:${leg.id}`);
  markDeclined(step, phase, leg, 'declined');
  releaseLeg(step, leg, 'timeout');
  ringNextOrEnd(step, phase);
  return true;
}

/** A timer of the plan came due (it is already disarmed). */
export function handleRingTimer(step: Step, phase: Ringing, id: string): void {
  if (phase.winner !== null) {
    // The whisper's end was never reported: connect rather than keep two people waiting.
    whisperEnded(step, phase);
    return;
  }
  const [kind, rest = ''] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
  if (kind === 'group') {
    while (phase.nextGroup <= Number(rest)) startNextGroup(step, phase);
    ringNextOrEnd(step, phase);
    return;
  }
  const leg = step.s.legs.find((one) => one.id === rest);
  if (leg === undefined) return;
  if (kind === 'confirm') {
    for (const [commandId, legId] of Object.entries(step.s.confirming))
      if (legId === leg.id) delete step.s.confirming[commandId];
    markDeclined(step, phase, leg, 'confirm key not pressed');
  } else {
    markMissed(step, leg, `no answer within ${leg.target?.timeoutSeconds ?? 0} s`);
  }
  releaseLeg(step, leg, 'timeout');
  ringNextOrEnd(step, phase);
}

export function whisperEnded(step: Step, phase: Ringing): void {
  const leg = step.s.legs.find((one) => one.id === phase.winner?.leg);
  if (leg !== undefined) connect(step, leg);
}

/** A waiting call is always held at least this long again, ms. */
const minParkMs = 1000;

/** Whoever waits hears music while one destination rings. */
export function ringTarget(step: Step, target: Target, otherwise: Ending): void {
  step.s.refusedKeys = step.s.refusedKeys.filter((key) => key !== target.key);
  ringPlan(step, {
    routeId: step.s.facts.routeId,
    groups: [{ targets: [target], startAfter: 0, confirm: null }],
    holdMusicId: holdMusicFor(step),
    otherwise,
  } satisfies RingPlan);
}

/** Nobody took what was passed on. */
export function returnCall(step: Step, ending: Extract<Ending, { then: 'back' | 'park' }>): void {
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
    fallbackEnding(step, `${ending.target.label} didn’t take it back.`),
  );
}

export function fallbackEnding(step: Step, because: string): Ending {
  const { flow } = step.s;
  return flow.voicemail.enabled
    ? { then: 'voicemail', because }
    : { then: 'message', prompts: [sayPrompt(flow.words.unavailable)], status: 8, because };
}

export function park(step: Step, parked: Parked, because: string): void {
  const { s } = step;
  if (!s.waiting)
    addCommand(step, { do: 'hold', leg: s.firstLeg, on: true, musicId: holdMusicFor(step) });
  s.waiting = true;
  explain(step, 'route', 'park', true, because, `slot ${parked.slot}`);
  enterPhase(step, { name: 'parked', parked });
  startTimer(step, `park:${parked.slot}`, Math.max(minParkMs, parked.until - step.now) / 1000);
}
