import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'sso.not_set_up': {
    status: 409,
    text: 'This organization has no single sign-on yet. Connect a provider first.',
  },
  'sso.required': {
    status: 403,
    text: '{organization} lets you in only through its single sign-on. At the sign-in page, enter your email address and choose “Continue with {organization}”.',
  },
  'sso.address_kept': {
    status: 409,
    text: '{organization} lets you in only with an address at its domains. Ask an administrator there.',
  },
  'sso.untried': {
    status: 409,
    text: 'Sign in through the provider once, so that it’s sure to work.',
  },
  'sso.no_domain': {
    status: 409,
    text: 'Prove a domain of your email addresses first.',
  },
  'sso.not_in_it': {
    status: 409,
    text: 'You’d lock yourself out. Sign in through the provider, then turn it on.',
  },
  'sso.no_door': {
    status: 409,
    text: 'No owner could get in while the provider is down. Have an owner set a password and two-step verification first.',
  },
  'scim.no_token': {
    status: 409,
    text: 'The directory has no token. Make one first.',
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
