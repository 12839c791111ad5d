import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'account.other_email': {
    status: 422,
    text: 'Enter the email address of your account.',
  },
  'account.owner': {
    status: 409,
    text: 'You own a company. Transfer its ownership first.',
  },
  'account.last_administrator': {
    status: 409,
    text: 'An organization would have no owner or administrator. Add one first.',
  },
  'account.staff': {
    status: 409,
    text: 'You’re platform staff. Ask another member of staff to end that first.',
  },
  'account.managed': {
    status: 409,
    text: 'Your organization manages your account. Ask its administrator to remove you.',
  },
  'account.held': {
    status: 409,
    text: 'Your account can’t be deleted right now. Contact support.',
  },
} as const satisfies ErrorTexts;
