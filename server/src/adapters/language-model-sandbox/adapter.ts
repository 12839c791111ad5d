import type { Adapter } from '../adapter.ts';

/** Stands in for a language model in the demo: picks sentences of the transcript, and says so. */
export const sandboxLanguageModel: Adapter = {
  name: 'sandbox-language-model',
  gateways: {
    languageModel: async () => (await import('./language-model.ts')).extractingModel,
  },
  when: { languageModel: ({ production, demo }) => !production || demo },
};
