/** Types of greetings (A7.4, A29). */

export const greetingTypes = [
  'welcome',
  'menu',
  'voicemail',
  'hold',
  'after_hours',
  'recording_notice',
  'whisper',
] as const;

export type GreetingType = (typeof greetingTypes)[number];

export const greetingSources = ['tts', 'upload', 'recorded'] as const;

export type GreetingSource = (typeof greetingSources)[number];

/** Largest file of a greeting: 10 MB (A7.4). */
export const greetingBytes = 10 * 1024 * 1024;

/** Ten minutes, which is what 10 MB of telephone audio hold. */
export const maxGreetingMs = 600_000;

/** IDs below are built-in hold music, from here on greetings (A29). */
export const firstGreetingMusic = 1000;

/** Success messages (B §8). */
export const greetingSaid = {
  added: 'Greeting added',
  updated: 'Greeting updated',
  deleted: 'Greeting deleted',
} as const;
