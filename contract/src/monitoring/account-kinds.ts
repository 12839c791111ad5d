import type { AlertRule } from './alert-rule.ts';

/** Alerts about connected accounts, sign-ins and keys. */
export const accountKinds = {
  integration_error: {
    title: 'A connected account fails',
    severity: 'critical',
    subject: 'integration',
    every: 'five_minutes',
    suggestions: [{ text: 'Reconnect it, or see what failed', link: '/integrations' }],
  },
  integration_silent: {
    title: 'A connected tool gets nothing',
    severity: 'warning',
    subject: 'integration',
    every: 'day',
    suggestions: [{ text: 'See what it gets, and send a test', link: '/integrations' }],
  },
  webhook_dead: {
    title: 'Events weren’t delivered to a webhook',
    severity: 'warning',
    subject: 'integration',
    every: 'five_minutes',
    suggestions: [{ text: 'See what failed and replay it', link: '/integrations/webhooks/{id}' }],
  },
  security_new_device: {
    title: 'Someone signed in from a new device',
    severity: 'info',
    subject: 'user',
    every: 'hour',
    suggestions: [{ text: 'End the session if it isn’t theirs', link: '/settings/sessions' }],
  },
  api_key_unused_90d: {
    title: 'An API key isn’t used',
    severity: 'info',
    subject: 'user',
    every: 'day',
    suggestions: [{ text: 'Delete keys that nothing uses', link: '/settings/api-keys' }],
  },
} as const satisfies Record<string, AlertRule>;
