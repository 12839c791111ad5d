/** Supervisors: they listen, whisper to the company's side, or speak with everybody. They are no party of the call. */
import { releaseLeg } from './finish.ts';
import { createLeg } from './ring.ts';
import { syncAudio } from './transfer-audio.ts';
import { startTimer, cancelTimer, findLeg, addLeg, type Step } from './step-context.ts';
import type { Leg, TransferEvent } from './types.ts';

export function handleMonitorEvent(
  step: Step,
  event: Extract<TransferEvent, { type: 'monitor' | 'stopMonitor' }>,
): boolean {
  const { s } = step;
  const userId =
    event.type === 'stopMonitor'
      ? event.userId
      : event.target.to.kind === 'app'
        ? event.target.to.userId
        : 0;
  const own = s.monitors?.find((one) => one.userId === userId);
  if (event.type === 'stopMonitor') {
    const leg = own === undefined ? undefined : findLeg(step, own.leg);
    if (leg === undefined) return false;
    s.monitors = (s.monitors ?? []).filter((one) => one !== own);
    releaseLeg(step, leg, 'callerLeft');
    if (s.room !== undefined) delete s.room.roles[leg.id];
    syncAudio(step);
    return true;
  }
  if (own !== undefined) {
    if (own.mode === event.mode) return false;
    own.mode = event.mode;
    syncAudio(step);
    return true;
  }
  if (userId === 0) return false;
  const leg = addLeg(step, 'monitor', event.target, null);
  s.monitors = [...(s.monitors ?? []), { leg: leg.id, userId, mode: event.mode }];
  createLeg(step, leg, event.target, s.firstLeg);
  startTimer(step, `watch:${leg.id}`, event.target.timeoutSeconds);
  return true;
}

/** A supervisor's own app has answered. */
export function monitorAnswered(step: Step, leg: Leg): boolean {
  if (leg.role !== 'monitor') return false;
  cancelTimer(step, `watch:${leg.id}`);
  leg.answeredAt = step.now;
  leg.state = 'connected';
  syncAudio(step);
  return true;
}
