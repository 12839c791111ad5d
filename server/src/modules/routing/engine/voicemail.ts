/** Voicemail: greeting, beep, message. */
import type { Prompt, VoiceEvent } from '../../../gateways/voice.ts';
import { finish } from './finish.ts';
import {
  answerFirstLeg,
  addCommand,
  enterPhase,
  startGuardTimer,
  newId,
  addHistoryEntry,
  endFirstLegHold,
  explain,
  type Step,
} from './step-context.ts';
import { promptSeconds } from './labels.ts';

/** A shorter message counts as abandoned (A5.1 `voicemail_abandon`). */
const minMessageMs = 3000;

/** Plays the greeting; the recording starts when it ends. `greeting` null = the number's own. */
export function sendToVoicemail(step: Step, greeting: Prompt[] | null, because: string): void {
  const { s } = step;
  const prompts = greeting ?? s.flow.voicemail.greeting;
  answerFirstLeg(step);
  endFirstLegHold(step);
  addHistoryEntry(step, 4, { detail: because });
  explain(step, 'voicemail', 'voicemail', true, because, 'Voicemail');
  s.facts.status = 4;
  s.facts.answeredBy = { type: 'voicemail', id: null, label: 'Voicemail', number: null };
  const commandId = addCommand(step, { do: 'play', leg: s.firstLeg, prompts });
  enterPhase(step, { name: 'voicemailGreeting', commandId });
  startGuardTimer(step, promptSeconds(prompts) * 2 + 20);
}

/** Records the caller's message after a beep. */
export function recordMessage(step: Step): void {
  const { s } = step;
  const recordingId = newId(step);
  const { maxSeconds } = s.flow.voicemail;
  addCommand(step, {
    do: 'record',
    leg: s.firstLeg,
    recordingId,
    maxSeconds,
    beep: true,
    silenceSeconds: 10,
  });
  s.facts.recordings.push({ recordingId, kind: 'voicemail', state: 'running', durationMs: null });
  enterPhase(step, { name: 'voicemail', recordingId });
  startGuardTimer(step, maxSeconds + 30);
}

/** A recording's file arrived, possibly after the call ended. False: unknown, or already kept. */
export function recordingFileReady(
  step: Step,
  event: Extract<VoiceEvent, { type: 'recordingReady' }>,
): boolean {
  const { s } = step;
  const recording = s.facts.recordings.find((one) => one.recordingId === event.recordingId);
  if (recording === undefined || recording.state === 'kept') return false;
  recording.state = 'kept';
  recording.durationMs = event.durationMs;
  if (s.phase.name === 'voicemail' && s.phase.recordingId === event.recordingId)
    finish(step, 4, 'A voicemail was left.', 'us');
  if (recording.kind === 'voicemail' && event.durationMs < minMessageMs)
    s.facts.abandoned = 'voicemail';
  return true;
}
