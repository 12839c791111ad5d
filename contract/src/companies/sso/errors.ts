import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'sso.not_set_up': {
    status: 409,
    text: 'This organization has no single sign-on yet. Connect a provider first.',
  },
  'sso.no_access': {
    status: 403,
    text: '{organization} hasn’t given you access yet. Ask an administrator there.',
  },
  'sso.domain_taken': {
    status: 409,
    text: 'Another organization has proven {domain}. It must remove the domain first.',
  },
  'sso.too_many_domains': {
    status: 409,
    text: 'An organization can have up to {most} domains. Remove one first.',
  },
} as const satisfies ErrorTexts;
