/** A user who transfers or parks a call leaves it; the other party waits. */
import { releaseLeg } from '../finish.ts';
import { clearRoom, stopConversationAudio, syncRecordingSides, type Connected } from './audio.ts';
import { enterPhase, type Step } from '../step-context.ts';
import type { Leg, Target } from '../types.ts';

/** Seconds the transferring user is rung when the call comes back. */
const ringBackSeconds = 20;

/** Releases the user and makes the other party the first leg, waiting. */
export function leaveConversation(step: Step, phase: Connected, userLeg: Leg): void {
  const { s } = step;
  const stays = phase.legs.find((leg) => leg !== userLeg.id) ?? phase.legs[0];
  stopConversationAudio(step, phase);
  clearRoom(step);
  s.firstLeg = stays;
  s.waiting = phase.held;
  s.facts.onHold = false;
  enterPhase(step, {
    name: 'parked',
    parked: { slot: 0, by: returnTarget(userLeg), since: step.now, until: step.now },
  });
  // Before the hangup: the recording continues without our side.
  syncRecordingSides(step);
  if (userLeg.endedAt === null) releaseLeg(step, userLeg, 'callerLeft');
}

/**
 * How the transferring user is rung when the call comes back. Throws for a leg without a target.
 */
export function returnTarget(userLeg: Leg): Target {
  const target = userLeg.target;
  if (target === null) throw new Error('Only one of our users can transfer a call');
  return {
    ...target,
    to:
      target.to.kind === 'app'
        ? {
            kind: 'app',
            userId: target.to.userId,
            ...(target.to.companyId === undefined ? {} : { companyId: target.to.companyId }),
          }
        : target.to,
    timeoutSeconds: ringBackSeconds,
  };
}
