import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'tenant.no_organization': {
    status: 409,
    text: 'This company isn’t part of an organization. Create one to use your own name and domain.',
  },
  'tenant.public_mailbox': {
    status: 422,
    text: 'Use an address at your own domain: mail can’t be sent for {domain}.',
  },
  'domain.invalid': {
    status: 422,
    text: 'Enter a domain that you registered, such as example.com.',
  },
  'domain.taken': { status: 409, text: 'Another organization already uses {host}.' },
} as const satisfies ErrorTexts;
