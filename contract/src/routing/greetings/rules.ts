/** Plain facts of greetings that screens and server both keep (A7.4, A29). */

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

/** A7.4: 10 MB. */
export const greetingBytes = 10 * 1024 * 1024;

/** Ten minutes: as much as 10 MB of telephone sound hold. */
export const maxGreetingMs = 600_000;

/** A29: ids below are our own hold music, from here on a greeting's. */
export const firstGreetingMusic = 1000;

/** B §8: success words "greeting added, updated, deleted". */
export const greetingSaid = {
  added: 'Greeting added',
  updated: 'Greeting updated',
  deleted: 'Greeting deleted',
} as const;
