import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'connection.unknown_provider': { status: 404, text: 'There’s no integration named {provider}.' },
  'connection.provider_not_set_up': {
    status: 409,
    text: '{provider} can’t be connected yet. An operator must set its client ID and secret on this server.',
  },
} as const satisfies ErrorTexts;
