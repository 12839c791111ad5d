import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { cents, text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no server is named. */
const languageModelSettings = adapterSettings(
  'language-model',
  {
    LANGUAGE_MODEL_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Language model: address of an OpenAI-compatible server, without `/v1`; it reads redacted transcripts of calls to numbers with AI fields. Without it nothing is read, except in the demo, which simulates it',
      { example: 'http://127.0.0.1:8080' },
    ),
    LANGUAGE_MODEL: variable(text.optional(), '', 'Language model: the model to ask for', {
      example: 'gpt-5-mini',
    }),
    LANGUAGE_MODEL_KEY: variable(text.optional(), '', 'Language model: the server’s API key', {
      example: '…',
      secret: true,
    }),
    LANGUAGE_MODEL_INPUT_CENTS: variable(
      cents,
      '0',
      'Language model: price of a million tokens read, in cents; it is shown as cost beside what was found',
    ),
    LANGUAGE_MODEL_OUTPUT_CENTS: variable(
      cents,
      '0',
      'Language model: price of a million tokens written, in cents',
    ),
  },
  (read, { problem }) => {
    const server = read('LANGUAGE_MODEL_URL');
    if (!server) return null;
    const model = read('LANGUAGE_MODEL');
    if (!model)
      problem('LANGUAGE_MODEL_URL needs LANGUAGE_MODEL, the name of the model to ask for.');
    return {
      url: server.replace(/\/+$/, ''),
      model: model ?? '',
      key: read('LANGUAGE_MODEL_KEY') || null,
      inputCents: read('LANGUAGE_MODEL_INPUT_CENTS'),
      outputCents: read('LANGUAGE_MODEL_OUTPUT_CENTS'),
    };
  },
);

/** A language model behind an OpenAI-compatible API. */
export const openAiLanguageModel: Adapter = {
  name: 'language-model',
  settings: languageModelSettings,
  servers: (settings) => {
    const set = languageModelSettings.of(settings);
    return set ? [{ variable: 'LANGUAGE_MODEL_URL', url: set.url, defaultPort: 443 }] : [];
  },
  gateways: {
    languageModel: async ({ settings }) => {
      const set = languageModelSettings.of(settings);
      if (!set) throw new Error('LANGUAGE_MODEL_URL is not set.');
      return (await import('./language-model.ts')).openAiModel(set);
    },
  },
};
