import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'company.inactive': {
    status: 409,
    text: 'This company is parked or deactivated, so it sends no texts and places no calls. An organization administrator can reactivate it.',
  },
  'company.suspended': {
    status: 409,
    text: 'This account has an outstanding balance, so it sends nothing and places no calls. Pay it under Settings, Billing.',
  },
  'company.closed_until_paid': {
    status: 403,
    text: 'This account has an outstanding balance. An owner or administrator can pay it, then you can work here again.',
  },
  'user.above_you': { status: 403, text: 'You can’t change a person whose role is above yours.' },
  'sessions.ended_lately': {
    status: 409,
    text: 'You signed this person out less than an hour ago, and they work for other companies, too. Wait, or deactivate them in this company.',
  },
  'signup.link_used': {
    status: 409,
    text: 'This sign-up link no longer works. Sign in, or restart the server to get a new one.',
  },
  'company.has_activity': {
    status: 409,
    text: 'You cannot delete an account that has numbers added or has any activity on those numbers',
  },
  'signup.closed': {
    status: 403,
    text: 'Sign-up is closed. Ask an administrator for an invitation.',
  },
} as const satisfies ErrorTexts;
