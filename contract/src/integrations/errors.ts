import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'integration.too_many': {
    status: 409,
    text: 'This company has {most} of them. Delete one first.',
  },
  'delivery.in_progress': {
    status: 409,
    text: 'This delivery is still being sent. Wait a minute and try again.',
  },
  'integration.off': {
    status: 409,
    text: 'It is turned off. Turn it on first.',
  },
  'integration.delivers_nothing': {
    status: 409,
    text: 'Nothing can be delivered to {provider} yet.',
  },
  'integration.reconnect': {
    status: 409,
    text: 'Access to this account has ended. Connect it again.',
  },
  'integration.away': {
    status: 503,
    text: '{provider} didn’t respond. Try again in a few minutes.',
  },
  'integration.no_lookup': { status: 404, text: '{provider} has no such list.' },
  'integration.lookup_refused': {
    status: 409,
    text: '{provider} refused to list them. Check what the account has access to.',
  },
} as const satisfies ErrorTexts;
