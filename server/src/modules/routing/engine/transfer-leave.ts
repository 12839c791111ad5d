/** Whoever passes a call on goes; the one outside stays, waiting. */
import { releaseLeg } from './finish.ts';
import {
  clearRoom,
  stopConversationAudio,
  syncRecordingSides,
  type Connected,
} from './transfer-audio.ts';
import { enterPhase, type Step } from './step-context.ts';
import type { Leg, Target } from './types.ts';

/** Seconds whoever passed a call on is rung when it comes back. */
const ringBackSeconds = 20;

/** The one who passes the call on goes; the other stays, waiting. */
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
  // Before the hang-up: the recording goes on without its company side.
  syncRecordingSides(step);
  if (userLeg.endedAt === null) releaseLeg(step, userLeg, 'callerLeft');
}

/** How whoever passed the call on is rung again. */
export function returnTarget(userLeg: Leg): Target {
  const target = userLeg.target;
  if (target === null) throw new Error('Only a person on one of our legs can transfer a call');
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
