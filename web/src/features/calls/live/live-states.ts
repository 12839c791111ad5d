import type { LiveState } from '#contract/calls/live/rules';
import type { Tone } from '#ui';

/** Label and tone of each state of a live call. */
export const liveStates: Record<LiveState, { label: string; tone: Tone }> = {
  ringing: { label: 'Ringing', tone: 'info' },
  waiting: { label: 'Waiting', tone: 'neutral' },
  talking: { label: 'Talking', tone: 'success' },
  held: { label: 'On hold', tone: 'warn' },
  consulting: { label: 'Consulting', tone: 'warn' },
  transferring: { label: 'Transferring', tone: 'warn' },
  parked: { label: 'Parked', tone: 'warn' },
  voicemail: { label: 'Voicemail', tone: 'neutral' },
  ending: { label: 'Ending', tone: 'neutral' },
};
