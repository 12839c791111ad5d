import type { AlertRule } from './alert-rule.ts';

/** Alerts about numbers on websites, and about where calls come from. */
export const trackingKinds = {
  dni_not_swapping: {
    title: 'Visitors don’t see tracking numbers',
    severity: 'critical',
    subject: 'dniPool',
    every: 'five_minutes',
    suggestions: [
      { text: 'Check the script on your website', link: '/tracking/script' },
      { text: 'Check the pool’s pages and numbers', link: '/tracking/pools/{id}' },
    ],
  },
  dni_script_missing: {
    title: 'Your website doesn’t report visits',
    severity: 'critical',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'Check the script on your website', link: '/tracking/script' }],
  },
  dni_script_wrong_key: {
    title: 'A website has another company’s script',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'Check the page, and copy your own script to it', link: '/tracking/script' },
    ],
  },
  dni_script_duplicate: {
    title: 'A website has the script twice',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'Check the page, and remove one of them', link: '/tracking/script' }],
  },
  dni_pool_oversized: {
    title: 'A pool has more numbers than it needs',
    severity: 'info',
    subject: 'dniPool',
    every: 'day',
    suggestions: [{ text: 'Remove numbers from the pool', link: '/tracking/pools/{id}' }],
  },
  attribution_drop: {
    title: 'Fewer calls are matched to a visitor',
    severity: 'warning',
    subject: 'company',
    every: 'day',
    suggestions: [
      { text: 'Check the script on your website', link: '/tracking/script' },
      { text: 'See whether pools run out of numbers', link: '/tracking/pools' },
    ],
  },
  source_unknown_spike: {
    title: 'More calls without a known source',
    severity: 'info',
    subject: 'company',
    every: 'day',
    suggestions: [{ text: 'Check your campaigns’ links', link: '/tracking/sources' }],
  },
  dni_pool_exhausted: {
    title: 'A pool ran out of numbers',
    severity: 'warning',
    subject: 'dniPool',
    every: 'quarter',
    suggestions: [{ text: 'Add numbers to the pool', link: '/tracking/pools/{id}' }],
  },
} as const satisfies Record<string, AlertRule>;
