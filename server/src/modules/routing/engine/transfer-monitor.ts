/** Supervisors: they listen, whisper to the company's side, or speak with everybody. They are no party of the call. */
import { letGo } from './finish.ts';
import { createLeg } from './ring.ts';
import { seat } from './transfer-audio.ts';
import { arm, disarm, legOf, newLeg, type Turn } from './turn.ts';
import type { Leg, PassEvent } from './types.ts';

export function monitorAsked(
  turn: Turn,
  event: Extract<PassEvent, { type: 'monitor' | 'stopMonitor' }>,
): boolean {
  const { s } = turn;
  const userId =
    event.type === 'stopMonitor'
      ? event.userId
      : event.target.to.kind === 'app'
        ? event.target.to.userId
        : 0;
  const own = s.monitors?.find((one) => one.userId === userId);
  if (event.type === 'stopMonitor') {
    const leg = own === undefined ? undefined : legOf(turn, own.leg);
    if (leg === undefined) return false;
    s.monitors = (s.monitors ?? []).filter((one) => one !== own);
    letGo(turn, leg, 'callerLeft');
    if (s.room !== undefined) delete s.room.roles[leg.id];
    seat(turn);
    return true;
  }
  if (own !== undefined) {
    if (own.mode === event.mode) return false;
    own.mode = event.mode;
    seat(turn);
    return true;
  }
  if (userId === 0) return false;
  const leg = newLeg(turn, 'monitor', event.target, null);
  s.monitors = [...(s.monitors ?? []), { leg: leg.id, userId, mode: event.mode }];
  createLeg(turn, leg, event.target, s.firstLeg);
  arm(turn, `watch:${leg.id}`, event.target.timeoutSeconds);
  return true;
}

/** A supervisor's own app has answered. */
export function monitorAnswered(turn: Turn, leg: Leg): boolean {
  if (leg.role !== 'monitor') return false;
  disarm(turn, `watch:${leg.id}`);
  leg.answeredAt = turn.now;
  leg.state = 'connected';
  seat(turn);
  return true;
}
