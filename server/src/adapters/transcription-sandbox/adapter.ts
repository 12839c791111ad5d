import type { Adapter } from '../adapter.ts';

/** Transcripts of scripted callers, and of others where pocketsphinx is installed. */
export const sandboxTranscription: Adapter = {
  name: 'sandbox-transcription',
  gateways: {
    transcription: async () => (await import('./transcription.ts')).sandboxTranscription(),
  },
};
