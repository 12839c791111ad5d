/** Whoever passes a call on goes; the one outside stays, waiting. */
import { letGo } from './finish.ts';
import { clearRoom, silence, writeSides, type Connected } from './transfer-audio.ts';
import { enter, type Turn } from './turn.ts';
import type { Leg, Target } from './types.ts';

/** Seconds whoever passed a call on is rung when it comes back. */
const ringBackSeconds = 20;

/** The one who passes the call on goes; the other stays, waiting. */
export function leave(turn: Turn, phase: Connected, mine: Leg): void {
  const { s } = turn;
  const stays = phase.legs.find((leg) => leg !== mine.id) ?? phase.legs[0];
  silence(turn, phase);
  clearRoom(turn);
  s.firstLeg = stays;
  s.waiting = phase.held;
  s.facts.onHold = false;
  enter(turn, {
    name: 'parked',
    parked: { slot: 0, by: back(mine), since: turn.now, until: turn.now },
  });
  // Before the hang-up: the recording goes on without its company side.
  writeSides(turn);
  if (mine.endedAt === null) letGo(turn, mine, 'callerLeft');
}

/** How whoever passed the call on is rung again. */
export function back(mine: Leg): Target {
  const target = mine.target;
  if (target === null) throw new Error('Only a person on a line of ours passes a call on');
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
