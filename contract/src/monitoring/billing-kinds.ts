import type { AlertRule } from './alert-rule.ts';

/** Alerts about plans, what they include and what isn't paid. */
export const billingKinds = {
  payment_failed: {
    title: 'A payment failed',
    severity: 'critical',
    subject: 'company',
    every: 'five_minutes',
    suggestions: [{ text: 'Update the card or pay', link: '/settings/billing' }],
  },
  usage_80: {
    title: 'Your plan is nearly used up',
    severity: 'info',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'See usage and plans', link: '/settings/billing' }],
  },
  usage_100: {
    title: 'Part of your plan is used up',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'See what more costs, or choose a larger plan', link: '/settings/billing' },
    ],
  },
  // Beside the kinds of A17: told before anything is refused.
  spend_limit_80: {
    title: 'Your spending limit is nearly reached',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'See usage, or raise the limit', link: '/settings/billing' }],
  },
  spend_limit: {
    title: 'Your spending limit is reached',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'Raise the limit', link: '/settings/billing' }],
  },
} as const satisfies Record<string, AlertRule>;
