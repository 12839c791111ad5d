import type { AlertRule } from './alert-rule.ts';

/** Alerts about what is said in calls, beside the kinds of A17. */
export const saidKinds = {
  phrase_said: {
    title: 'A phrase you watch for was said',
    severity: 'warning',
    subject: 'phraseList',
    every: 'five_minutes',
    suggestions: [
      { text: 'See the calls', link: '/activity/calls?phrases={id}&period=week' },
      { text: 'Change the phrases', link: '/settings/phrases' },
    ],
  },
  calls_negative: {
    title: 'Many calls have a negative sentiment',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      {
        text: 'See which numbers they came to',
        link: '/analytics/calls?mood=negative&period=week&group=number',
      },
    ],
  },
} as const satisfies Record<string, AlertRule>;
