/**
 * Supervisors listen, whisper to our side, or talk to everyone. They are not parties to the call.
 */
import { releaseLeg } from '../finish.ts';
import { createLeg } from '../ringing/legs.ts';
import { syncAudio } from './audio.ts';
import { startTimer, cancelTimer, findLeg, addLeg, type Step } from '../step-context.ts';
import type { Leg, Monitor, Target, TransferEvent } from '../types.ts';

/** Starts, changes or stops monitoring. False: nothing changed. */
export function handleMonitorEvent(
  step: Step,
  event: Extract<TransferEvent, { type: 'monitor' | 'stopMonitor' }>,
): boolean {
  return event.type === 'stopMonitor'
    ? stopMonitor(step, event.userId)
    : startMonitor(step, event.target, event.mode);
}

function stopMonitor(step: Step, userId: number): boolean {
  const { s } = step;
  const monitor = s.monitors?.find((one) => one.userId === userId);
  const leg = monitor === undefined ? undefined : findLeg(step, monitor.leg);
  if (leg === undefined) return false;
  s.monitors = (s.monitors ?? []).filter((one) => one !== monitor);
  releaseLeg(step, leg, 'callerLeft');
  if (s.room !== undefined) delete s.room.roles[leg.id];
  syncAudio(step);
  return true;
}

function startMonitor(step: Step, target: Target, mode: Monitor['mode']): boolean {
  const { s } = step;
  const userId = target.to.kind === 'app' ? target.to.userId : 0;
  const monitor = s.monitors?.find((one) => one.userId === userId);
  if (monitor !== undefined) {
    if (monitor.mode === mode) return false;
    monitor.mode = mode;
    syncAudio(step);
    return true;
  }
  if (userId === 0) return false;
  const leg = addLeg(step, 'monitor', target, null);
  s.monitors = [...(s.monitors ?? []), { leg: leg.id, userId, mode }];
  createLeg(step, leg, target, s.firstLeg);
  startTimer(step, `watch:${leg.id}`, target.timeoutSeconds);
  return true;
}

/** A supervisor's leg was answered. False: not a supervisor's leg. */
export function monitorAnswered(step: Step, leg: Leg): boolean {
  if (leg.role !== 'monitor') return false;
  cancelTimer(step, `watch:${leg.id}`);
  leg.answeredAt = step.now;
  leg.state = 'connected';
  syncAudio(step);
  return true;
}
