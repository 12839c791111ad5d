/** What happens to the legs of a running ring plan: answered, confirmed, declined, missed. */
import type { LegEndCause } from '../../../../gateways/voice.ts';
import { connect } from '../connect.ts';
import { releaseLeg } from '../finish.ts';
import { dtmfOfKey, keyName, promptSeconds } from '../labels.ts';
import {
  askForConfirmKey,
  cancelOtherLegs,
  confirmFor,
  markDeclined,
  markMissed,
  startNextGroup,
  type Ringing,
} from './legs.ts';
import { ringNextOrEnd } from './ring.ts';
import {
  addCommand,
  addHistoryEntry,
  cancelTimer,
  explain,
  pendingLegs,
  startGuardTimer,
  type Step,
} from '../step-context.ts';
import type { Leg } from '../types.ts';

/** A destination answered. */
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
  // Only phones are asked for the key: accepting in the app already proves a person.
  if (confirm !== null && confirm.key !== null && leg.target?.to.kind !== 'app') {
    askForConfirmKey(step, leg, confirm.key, confirm);
    return;
  }
  cancelOtherLegs(step, leg);
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

/** The confirm-key gather ended with `digits` ('' = none in time). */
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
    cancelOtherLegs(step, leg);
    connect(step, leg);
    return;
  }
  markDeclined(step, phase, leg, digits === '' ? 'confirm key not pressed' : 'another key pressed');
  releaseLeg(step, leg, 'timeout');
  ringNextOrEnd(step, phase);
}

/** A destination's leg ended while the plan was running. */
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
    // Busy is a miss rather than a decline, but A7.1 does not dial it again either.
    if (leg.target !== null) step.s.refusedKeys.push(leg.target.key);
    markMissed(step, leg, 'busy');
  } else {
    markMissed(step, leg, cause === 'failed' ? 'could not be reached' : 'no answer');
  }
  ringNextOrEnd(step, phase);
}

/** A user declined in the app: that leg ends, the others keep ringing. False: no such leg rings. */
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

/** A timer of the plan fired; it is already removed from the state. */
export function handleRingTimer(step: Step, phase: Ringing, id: string): void {
  if (phase.winner !== null) {
    // The end of the whisper was never reported: connect anyway.
    whisperEnded(step, phase);
    return;
  }
  const colon = id.indexOf(':');
  const kind = id.slice(0, colon);
  const subject = id.slice(colon + 1);
  if (kind === 'group') {
    while (phase.nextGroup <= Number(subject)) startNextGroup(step, phase);
    ringNextOrEnd(step, phase);
    return;
  }
  const leg = step.s.legs.find((one) => one.id === subject);
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

/** The winner heard the whisper: connect. */
export function whisperEnded(step: Step, phase: Ringing): void {
  const leg = step.s.legs.find((one) => one.id === phase.winner?.leg);
  if (leg !== undefined) connect(step, leg);
}
