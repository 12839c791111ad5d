/** Voicemail: greeting, beep, message. */
import type { Prompt, VoiceEvent } from '../../../ports/voice.ts';
import { finish } from './finish.ts';
import {
  answerFirstLeg,
  command,
  enter,
  guard,
  name,
  note,
  stopWaiting,
  why,
  type Turn,
} from './turn.ts';
import { promptSeconds } from './words.ts';

/** A message shorter than this counts as none (A5.1 `voicemail_abandon`). */
const shortestMessageMs = 3000;

export function sendToVoicemail(turn: Turn, greeting: Prompt[] | null, because: string): void {
  const { s } = turn;
  const prompts = greeting ?? s.flow.voicemail.greeting;
  answerFirstLeg(turn);
  stopWaiting(turn);
  note(turn, 4, { detail: because });
  why(turn, 'voicemail', 'voicemail', true, because, 'Voicemail');
  s.facts.status = 4;
  s.facts.answeredBy = { type: 'voicemail', id: null, label: 'Voicemail', number: null };
  const commandId = command(turn, { do: 'play', leg: s.firstLeg, prompts });
  enter(turn, { name: 'voicemailGreeting', commandId });
  guard(turn, promptSeconds(prompts) * 2 + 20);
}

export function recordMessage(turn: Turn): void {
  const { s } = turn;
  const recordingId = name(turn);
  const { maxSeconds } = s.flow.voicemail;
  command(turn, {
    do: 'record',
    leg: s.firstLeg,
    recordingId,
    maxSeconds,
    beep: true,
    silenceSeconds: 10,
  });
  s.facts.recordings.push({ recordingId, kind: 'voicemail', state: 'running', durationMs: null });
  enter(turn, { name: 'voicemail', recordingId });
  guard(turn, maxSeconds + 30);
}

/** A recording's file is there: of the message being left now, or of anything recorded earlier, even after the end. */
export function recordingKept(
  turn: Turn,
  event: Extract<VoiceEvent, { type: 'recordingReady' }>,
): boolean {
  const { s } = turn;
  const recording = s.facts.recordings.find((one) => one.recordingId === event.recordingId);
  if (recording === undefined || recording.state === 'kept') return false;
  recording.state = 'kept';
  recording.durationMs = event.durationMs;
  if (s.phase.name === 'voicemail' && s.phase.recordingId === event.recordingId)
    finish(turn, 4, 'A voicemail was left.', 'us');
  if (recording.kind === 'voicemail' && event.durationMs < shortestMessageMs)
    s.facts.abandoned = 'voicemail';
  return true;
}
