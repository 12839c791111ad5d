import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no server is named. */
const transcriptionSettings = adapterSettings(
  'transcription',
  {
    TRANSCRIPTION_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Transcription: address of an OpenAI-compatible speech server, without `/v1` (whisper.cpp, faster-whisper, LocalAI, OpenAI); without it simulated callers are quoted and others recognized by pocketsphinx where that is installed',
      { example: 'http://127.0.0.1:8000' },
    ),
    TRANSCRIPTION_MODEL: variable(text, 'whisper-1', 'Transcription: the model to ask for'),
    TRANSCRIPTION_KEY: variable(text.optional(), '', 'Transcription: the server’s API key', {
      example: '…',
      secret: true,
    }),
  },
  (read) => {
    const server = read('TRANSCRIPTION_URL');
    return server
      ? {
          url: server.replace(/\/+$/, ''),
          model: read('TRANSCRIPTION_MODEL'),
          key: read('TRANSCRIPTION_KEY') || null,
        }
      : null;
  },
);

/** A speech server behind an OpenAI-compatible API. */
export const openAiTranscription: Adapter = {
  name: 'transcription',
  settings: transcriptionSettings,
  servers: (settings) => {
    const set = transcriptionSettings.of(settings);
    return set ? [{ variable: 'TRANSCRIPTION_URL', url: set.url, defaultPort: 443 }] : [];
  },
  gateways: {
    transcription: async ({ settings }) => {
      const set = transcriptionSettings.of(settings);
      if (!set) throw new Error('TRANSCRIPTION_URL is not set.');
      return (await import('./transcription.ts')).openAiTranscriber(set);
    },
  },
};
