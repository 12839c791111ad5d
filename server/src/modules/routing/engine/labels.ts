import type { Prompt } from '../../../gateways/voice.ts';
import type { ConfirmKey, StatusCode } from './types.ts';

/**
 * Labels of the call status codes (B §4). "Hangup" and "No Answer" each label two codes of A5.1.
 */
export const statusLabels: Record<StatusCode, string> = {
  1: 'Started',
  2: 'Extension Selected',
  3: 'Hangup',
  4: 'Voicemail',
  5: 'No Answer',
  6: 'Received',
  7: 'Rejected',
  8: 'No Answer',
  9: 'Answered Already',
  10: 'Missed',
  11: 'Hangup',
  12: 'Connected',
  13: 'Blocked',
};

/** The DTMF character of a confirm key of B §3 (digit, 65535 star, 65534 pound). */
export function dtmfOfKey(key: string): string {
  return key === '65535' ? '*' : key === '65534' ? '#' : key;
}

/** The spoken name of a confirm key. */
export function keyName(key: NonNullable<ConfirmKey>): string {
  return key === '65535' ? 'star' : key === '65534' ? 'pound' : key;
}

/** A prompt of spoken text. */
export const sayPrompt = (text: string): Prompt => ({ kind: 'say', text });

/** Estimated length of the prompts, seconds: speech at 14 characters a second. */
export function promptSeconds(prompts: Prompt[]): number {
  let seconds = 0;
  for (const prompt of prompts) {
    if (prompt.kind === 'beep') seconds += 0.5;
    else if (prompt.kind === 'say') seconds += Math.max(1, prompt.text.length / 14);
    else if (prompt.seconds !== undefined) seconds += prompt.seconds;
    else seconds += prompt.text === undefined ? 10 : Math.max(1, prompt.text.length / 14);
  }
  return Math.ceil(seconds);
}
