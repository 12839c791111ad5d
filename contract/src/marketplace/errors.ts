import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'marketplace.exists': { status: 409, text: '{number} is already on the marketplace.' },
  'marketplace.not_now': { status: 409, text: 'You can’t do this while the number is {status}.' },
  'marketplace.taken': {
    status: 409,
    text: 'Someone else is taking this number. Choose another, or try again in 15 minutes.',
  },
  'marketplace.offer_needed': {
    status: 409,
    text: 'Make an offer first. You can lease this number once its owner accepts.',
  },
  'marketplace.fixed_price': {
    status: 409,
    text: 'This number has a fixed price, so it doesn’t accept offers.',
  },
  'marketplace.leased_to_you': {
    status: 409,
    text: '{number} is leased to you. Only its owner can list it on the marketplace.',
  },
  'marketplace.renewal_early': { status: 409, text: 'This lease can be renewed starting {date}.' },
  'marketplace.not_renewed': {
    status: 409,
    text: 'The owner has given notice, so this lease can’t be renewed. It ends on {date}.',
  },
  'marketplace.own': { status: 409, text: 'This number is your company’s own listing.' },
} as const satisfies ErrorTexts;
