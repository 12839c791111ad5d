export * from './card.ts';
export * from './dunning.ts';
export * from './plans.ts';
export * from './states.ts';
export * from './tax.ts';
export * from './usage.ts';

/** Who takes the money: `off` hides plans, limits and billing screens (A30). */
export const billingModes = ['off', 'manual', 'sandbox', 'stripe', 'maxio'] as const;
/** Pages of ours that a provider’s card page can lead back to. */
export const cardPages = ['/settings/billing', '/caddy/account/plan'] as const;
export type BillingMode = (typeof billingModes)[number];

/** Sentences of the specification (A §8). */
export const billingSentences = {
  outstanding: 'Your account has an outstanding balance of {amount}',
  reactivate: 'Please update your payment info to reactivate your account.',
  saved: 'New payment method saved. You won’t be charged until the next billing cycle.',
  savedPaid: 'New payment method saved, and the outstanding balance is paid.',
  savedPastDue:
    'New payment method saved, but the account is still past due. Contact Customer Success.',
  changedPastDue: 'Your plan changed, but the card couldn’t be charged. Update your payment info.',
  confirm: 'Your bank asks you to confirm the payment.',
  allPaid: 'Paid. Thank you.',
  stillOwed: 'The payment didn’t go through. Try again, or add another card.',
} as const;
