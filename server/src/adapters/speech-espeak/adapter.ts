import type { Adapter } from '../adapter.ts';

/** eSpeak: speech synthesis on this machine. */
export const espeak: Adapter = {
  name: 'espeak',
  gateways: { speech: async () => (await import('./speech.ts')).espeakSpeech() },
};
