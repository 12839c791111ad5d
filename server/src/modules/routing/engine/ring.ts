/** The executor: rings the groups of a plan in order until somebody takes the call or nobody is left. */
import type { LegEndCause, LegId } from '../../../ports/voice.ts';
import { connect } from './connect.ts';
import { closeWith, letGo } from './finish.ts';
import { musicOf } from './transfer-audio.ts';
import {
  answerFirstLeg,
  arm,
  command,
  disarm,
  enter,
  guard,
  newLeg,
  note,
  trying,
  why,
  type Turn,
} from './turn.ts';
import type { Ending, Leg, Parked, Phase, RingPlan, Target } from './types.ts';
import { keyName, keyPressed, promptSeconds, say } from './words.ts';
import { sendToVoicemail } from './voicemail.ts';

type Ringing = Extract<Phase, { name: 'ringing' }>;

/** The carrier stops ringing by itself a little later than we do, should we be down just then. */
const carrierBackstopSeconds = 3;

export function ring(turn: Turn, plan: RingPlan): void {
  const { s } = turn;
  if (plan.groups.length === 0) {
    endWith(turn, plan.otherwise, null);
    return;
  }
  if (plan.holdMusicId !== null) answerFirstLeg(turn);
  if (s.answered && !s.waiting) {
    s.waiting = true;
    command(turn, { do: 'hold', leg: s.firstLeg, on: true, musicId: plan.holdMusicId });
  }
  s.facts.ringingAt ??= turn.now;
  const phase: Ringing = {
    name: 'ringing',
    plan,
    beganAt: turn.now,
    nextGroup: 0,
    offered: 0,
    refused: 0,
    winner: null,
  };
  enter(turn, phase);
  plan.groups.forEach((group, i) => {
    if (i > 0 && group.startAfter !== 'previous') arm(turn, `group:${i}`, group.startAfter);
  });
  goOn(turn, phase);
}

function startNextGroup(turn: Turn, phase: Ringing): void {
  const { s } = turn;
  const i = phase.nextGroup;
  const group = phase.plan.groups[i];
  phase.nextGroup += 1;
  disarm(turn, `group:${i}`);
  for (const target of group?.targets ?? []) {
    if (s.refusedKeys.includes(target.key)) {
      why(
        turn,
        'ring',
        'once only',
        false,
        `${target.label} was busy or declined before and is not rung again.`,
        target.key,
      );
      continue;
    }
    const leg = newLeg(turn, 'target', target, i);
    phase.offered += 1;
    createLeg(turn, leg, target, s.firstLeg);
    arm(turn, `ring:${leg.id}`, target.timeoutSeconds);
    note(turn, null, { label: 'Ringing', leg: leg.id, target: target.label });
    why(
      turn,
      'ring',
      'ring',
      true,
      `Ringing ${target.label} for up to ${target.timeoutSeconds} s.`,
      target.key,
    );
  }
}

export function createLeg(turn: Turn, leg: Leg, target: Target, onBehalfOf: LegId): void {
  command(turn, {
    do: 'createLeg',
    leg: leg.id,
    to: target.to,
    callerId: target.callerId,
    callerName: turn.s.callerName ?? undefined,
    timeoutSeconds: target.timeoutSeconds + carrierBackstopSeconds,
    onBehalfOf,
  });
}

/** Nothing rings: the next group, or the end of the plan. */
function goOn(turn: Turn, phase: Ringing): void {
  while (
    phase.winner === null &&
    trying(turn).length === 0 &&
    phase.nextGroup < phase.plan.groups.length
  )
    startNextGroup(turn, phase);
  if (phase.winner === null && trying(turn).length === 0)
    endWith(turn, phase.plan.otherwise, phase);
}

function endWith(turn: Turn, ending: Ending, phase: Ringing | null): void {
  const { s } = turn;
  if (phase !== null && s.facts.connectedAt === null)
    s.facts.ringSeconds = Math.round((turn.now - phase.beganAt) / 1000);
  if (ending.then === 'back' || ending.then === 'park') {
    comesBack(turn, ending);
    return;
  }
  if (ending.then === 'voicemail') {
    const route = s.flow.routes.find((one) => one.id === s.facts.routeId);
    sendToVoicemail(turn, route?.voicemail.greeting ?? null, ending.because);
    return;
  }
  const everyoneRefused = phase !== null && phase.offered > 0 && phase.refused === phase.offered;
  closeWith(
    turn,
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
export function targetAnswered(turn: Turn, phase: Ringing, leg: Leg): void {
  const { s } = turn;
  const confirm = confirmFor(phase, leg);
  leg.state = 'answered';
  leg.answeredAt = turn.now;
  if (leg.target?.digits)
    command(turn, { do: 'sendDigits', leg: leg.id, digits: leg.target.digits });
  disarm(turn, `ring:${leg.id}`);
  note(turn, 6, { leg: leg.id, target: leg.target?.label ?? null });
  s.facts.status = 6;
  // Pressing "accept" in the app is a person already: only telephones are asked for the key.
  if (confirm !== null && confirm.key !== null && leg.target?.to.kind !== 'app') {
    const prompts = [...confirm.whisper, say(`Press ${keyName(confirm.key)} to take this call.`)];
    leg.state = 'confirming';
    const commandId = command(turn, {
      do: 'gather',
      leg: leg.id,
      prompts,
      maxDigits: 1,
      timeoutSeconds: confirm.waitSeconds,
    });
    s.confirming[commandId] = leg.id;
    arm(turn, `confirm:${leg.id}`, promptSeconds(prompts) * 2 + confirm.waitSeconds + 5);
    why(
      turn,
      'confirm',
      'confirm key',
      true,
      `${leg.target?.label ?? 'The destination'} picked up and is asked to press ${keyName(confirm.key)}.`,
      leg.target?.key ?? null,
    );
    return;
  }
  for (const other of trying(turn)) {
    if (other.id !== leg.id) lose(turn, other);
  }
  if (confirm !== null && confirm.whisper.length > 0) {
    phase.winner = {
      leg: leg.id,
      commandId: command(turn, { do: 'whisper', leg: leg.id, prompts: confirm.whisper }),
    };
    turn.s.timers = [];
    guard(turn, promptSeconds(confirm.whisper) * 2 + 10);
    return;
  }
  connect(turn, leg);
}

function lose(turn: Turn, leg: Leg): void {
  note(turn, 9, { leg: leg.id, target: leg.target?.label ?? null });
  letGo(turn, leg, 'answeredElsewhere');
}

/** The gather for the confirm key ended. */
export function keyGathered(
  turn: Turn,
  phase: Ringing,
  leg: Leg,
  commandId: string,
  digits: string,
): void {
  const key = confirmFor(phase, leg)?.key ?? null;
  delete turn.s.confirming[commandId];
  disarm(turn, `confirm:${leg.id}`);
  if (key !== null && digits === keyPressed(key)) {
    why(
      turn,
      'confirm',
      'confirm key',
      true,
      `${leg.target?.label ?? 'The destination'} pressed ${keyName(key)}.`,
      leg.target?.key ?? null,
    );
    for (const other of trying(turn)) {
      if (other.id !== leg.id) lose(turn, other);
    }
    connect(turn, leg);
    return;
  }
  refuse(turn, phase, leg, digits === '' ? 'confirm key not pressed' : 'another key pressed');
  letGo(turn, leg, 'timeout');
  goOn(turn, phase);
}

function refuse(turn: Turn, phase: Ringing, leg: Leg, detail: string): void {
  phase.refused += 1;
  if (leg.target !== null) turn.s.refusedKeys.push(leg.target.key);
  note(turn, 7, { leg: leg.id, target: leg.target?.label ?? null, detail });
  why(
    turn,
    'ring',
    'rejected',
    false,
    `${leg.target?.label ?? 'The destination'} did not take the call: ${detail}.`,
    leg.target?.key ?? null,
  );
}

function miss(turn: Turn, leg: Leg, detail: string): void {
  note(turn, 5, { leg: leg.id, target: leg.target?.label ?? null, detail });
  why(
    turn,
    'ring',
    'no answer',
    false,
    `${leg.target?.label ?? 'The destination'} did not answer: ${detail}.`,
    leg.target?.key ?? null,
  );
}

/** A destination's leg ended while the plan runs. */
export function targetEnded(turn: Turn, phase: Ringing, leg: Leg, cause: LegEndCause): void {
  const before = leg.state;
  leg.state = 'ended';
  disarm(turn, `ring:${leg.id}`);
  disarm(turn, `confirm:${leg.id}`);
  if (before === 'leaving') return;
  if (phase.winner?.leg === leg.id) {
    phase.winner = null;
    turn.s.timers = [];
    refuse(turn, phase, leg, 'hung up before the caller was connected');
  } else if (before === 'confirming') {
    refuse(turn, phase, leg, 'hung up without pressing the confirm key');
  } else if (cause === 'declined' || cause === 'rejected') {
    refuse(turn, phase, leg, 'declined');
  } else if (cause === 'busy') {
    // Busy did not decline, but A7.1 never dials it again either.
    if (leg.target !== null) turn.s.refusedKeys.push(leg.target.key);
    miss(turn, leg, 'busy');
  } else {
    miss(turn, leg, cause === 'failed' ? 'could not be reached' : 'no answer');
  }
  goOn(turn, phase);
}

/** One user declined in the app: their leg ends, the others ring on. */
export function userDeclined(turn: Turn, phase: Ringing, userId: number): boolean {
  const leg = trying(turn).find(
    (one) => one.target?.to.kind === 'app' && one.target.to.userId === userId,
  );
  if (leg === undefined || leg.state !== 'ringing') return false;
  disarm(turn, `ring:${leg.id}`);
  refuse(turn, phase, leg, 'declined');
  letGo(turn, leg, 'timeout');
  goOn(turn, phase);
  return true;
}

/** A timer of the plan came due (it is already disarmed). */
export function ringTimer(turn: Turn, phase: Ringing, id: string): void {
  if (phase.winner !== null) {
    // The whisper's end was never reported: connect rather than keep two people waiting.
    whisperEnded(turn, phase);
    return;
  }
  const [kind, rest = ''] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
  if (kind === 'group') {
    while (phase.nextGroup <= Number(rest)) startNextGroup(turn, phase);
    goOn(turn, phase);
    return;
  }
  const leg = turn.s.legs.find((one) => one.id === rest);
  if (leg === undefined) return;
  if (kind === 'confirm') {
    for (const [commandId, legId] of Object.entries(turn.s.confirming))
      if (legId === leg.id) delete turn.s.confirming[commandId];
    refuse(turn, phase, leg, 'confirm key not pressed');
  } else {
    miss(turn, leg, `no answer within ${leg.target?.timeoutSeconds ?? 0} s`);
  }
  letGo(turn, leg, 'timeout');
  goOn(turn, phase);
}

export function whisperEnded(turn: Turn, phase: Ringing): void {
  const leg = turn.s.legs.find((one) => one.id === phase.winner?.leg);
  if (leg !== undefined) connect(turn, leg);
}

/** A waiting call is always held at least this long again, ms. */
const leastParkMs = 1000;

/** Whoever waits hears music while one destination rings. */
export function ringOne(turn: Turn, target: Target, otherwise: Ending): void {
  turn.s.refusedKeys = turn.s.refusedKeys.filter((key) => key !== target.key);
  ring(turn, {
    routeId: turn.s.facts.routeId,
    groups: [{ targets: [target], startAfter: 0, confirm: null }],
    holdMusicId: musicOf(turn),
    otherwise,
  } satisfies RingPlan);
}

/** Nobody took what was passed on. */
export function comesBack(turn: Turn, ending: Extract<Ending, { then: 'back' | 'park' }>): void {
  if (ending.then === 'park') {
    park(turn, ending.parked, ending.because);
    return;
  }
  note(turn, null, { label: 'Returned', target: ending.target.label, detail: ending.because });
  why(
    turn,
    'route',
    'return',
    true,
    `${ending.because} It comes back to ${ending.target.label}.`,
    ending.target.key,
  );
  ringOne(turn, ending.target, lastResort(turn, `${ending.target.label} did not take it back.`));
}

export function lastResort(turn: Turn, because: string): Ending {
  const { flow } = turn.s;
  return flow.voicemail.enabled
    ? { then: 'voicemail', because }
    : { then: 'message', prompts: [say(flow.words.unavailable)], status: 8, because };
}

export function park(turn: Turn, parked: Parked, because: string): void {
  const { s } = turn;
  if (!s.waiting) command(turn, { do: 'hold', leg: s.firstLeg, on: true, musicId: musicOf(turn) });
  s.waiting = true;
  why(turn, 'route', 'park', true, because, `slot ${parked.slot}`);
  enter(turn, { name: 'parked', parked });
  arm(turn, `park:${parked.slot}`, Math.max(leastParkMs, parked.until - turn.now) / 1000);
}
