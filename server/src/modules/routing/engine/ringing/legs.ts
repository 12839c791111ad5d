/** The legs of a ring plan: started, asked for the confirm key, declined, missed. */
import type { LegId } from '../../../../gateways/voice.ts';
import { releaseLeg } from '../finish.ts';
import { keyName, promptSeconds, sayPrompt } from '../labels.ts';
import {
  addCommand,
  addHistoryEntry,
  addLeg,
  cancelTimer,
  explain,
  pendingLegs,
  startTimer,
  type Step,
} from '../step-context.ts';
import type { Leg, Phase, RingGroup, Target } from '../types.ts';

export type Ringing = Extract<Phase, { name: 'ringing' }>;

/** Seconds a carrier rings longer than our own timer, in case we are down when it fires. */
const carrierBackstopSeconds = 3;

/** Rings the next group of the plan, without destinations that were busy or declined before. */
export function startNextGroup(step: Step, phase: Ringing): void {
  const { s } = step;
  const i = phase.nextGroup;
  const group = phase.plan.groups[i];
  phase.nextGroup += 1;
  cancelTimer(step, `group:${i}`);
  const before = phase.plan.groups[i - 1]?.targets.at(-1)?.team?.key;
  for (const [key, label] of new Map(
    group?.targets.flatMap(({ team }) => (team ? [[team.key, team.label] as const] : [])),
  ))
    if (key !== before) explain(step, 'ring', 'team', true, `Ringing ${label}.`, key);
  for (const target of group?.targets ?? []) {
    if (s.refusedKeys.includes(target.key)) {
      const because = `${target.label} was busy or declined before and isn’t rung again.`;
      explain(step, 'ring', 'once only', false, because, target.key);
      continue;
    }
    const leg = addLeg(step, 'target', target, i);
    phase.offered += 1;
    createLeg(step, leg, target, s.firstLeg);
    startTimer(step, `ring:${leg.id}`, target.timeoutSeconds);
    addHistoryEntry(step, null, { label: 'Ringing', leg: leg.id, target: target.label });
    const because = `Ringing ${target.label} for up to ${target.timeoutSeconds} s.`;
    explain(step, 'ring', 'ring', true, because, target.key);
  }
}

/** Commands the carrier to ring a target. `onBehalfOf`: the leg it is rung for. */
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

/** What a leg must do before it is connected; null = nothing. Its own key overrides the group's. */
export function confirmFor(phase: Ringing, leg: Leg): RingGroup['confirm'] {
  const group = phase.plan.groups[leg.group ?? 0]?.confirm ?? null;
  const own = leg.target?.confirmKey ?? null;
  return own === null ? group : { waitSeconds: 10, whisper: [], ...group, key: own };
}

/** Plays the whisper and the request for the confirm key to a leg that answered. */
export function askForConfirmKey(
  step: Step,
  leg: Leg,
  key: string,
  confirm: NonNullable<RingGroup['confirm']>,
): void {
  const prompts = [...confirm.whisper, sayPrompt(`Press ${keyName(key)} to take this call.`)];
  leg.state = 'confirming';
  const commandId = addCommand(step, {
    do: 'gather',
    leg: leg.id,
    prompts,
    maxDigits: 1,
    timeoutSeconds: confirm.waitSeconds,
  });
  step.s.confirming[commandId] = leg.id;
  startTimer(step, `confirm:${leg.id}`, promptSeconds(prompts) * 2 + confirm.waitSeconds + 5);
  explain(
    step,
    'confirm',
    'confirm key',
    true,
    `${leg.target?.label ?? 'The destination'} answered and is asked to press ${keyName(key)}.`,
    leg.target?.key ?? null,
  );
}

/** Releases every other ringing leg with status 9, "Answered Already". */
export function cancelOtherLegs(step: Step, winner: Leg): void {
  for (const other of pendingLegs(step)) {
    if (other.id === winner.id) continue;
    addHistoryEntry(step, 9, { leg: other.id, target: other.target?.label ?? null });
    releaseLeg(step, other, 'answeredElsewhere');
  }
}

/** Records that a destination declined (status 7); it is not dialed again in this call. */
export function markDeclined(step: Step, phase: Ringing, leg: Leg, detail: string): void {
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

/** Records that a destination did not answer (status 5). */
export function markMissed(step: Step, leg: Leg, detail: string): void {
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
