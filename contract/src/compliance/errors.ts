import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'block.exists': { status: 409, text: '{number} is already blocked.' },
  'block.own_number': {
    status: 422,
    text: '{number} is one of your own numbers and can’t be blocked. Release it, or change its routing.',
  },
  'opt_out.decided': {
    status: 409,
    text: 'Someone else has decided this. Reload the conversation to see how.',
  },
  'registration.checks_failed': {
    status: 422,
    text: 'Some checks failed. Fix them and submit again.',
  },
  'registration.locked': {
    status: 409,
    text: 'This is already with the carrier or approved, so it can’t be changed. Cancel it, or start a new one.',
  },
  'registration.number_in_use': {
    status: 409,
    text: '{number} belongs to another registration. Remove it there first.',
  },
  'registration.active': {
    status: 409,
    text: 'This registration is still active. Cancel it first.',
  },
  'registration.not_cancelable': {
    status: 409,
    text: 'There’s nothing to cancel. This wasn’t submitted, or it has ended.',
  },
  'registration.ended': {
    status: 409,
    text: 'This registration has ended. Start a new one for these numbers.',
  },
} as const satisfies ErrorTexts;
