import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no key is set. */
const stripeSettings = adapterSettings(
  'payments-stripe',
  {
    STRIPE_SECRET_KEY: variable(
      text
        .regex(/^(sk|rk)_(test|live)_\w+$/, 'must begin with sk_ or rk_, then test_ or live_')
        .optional(),
      '',
      'Stripe: the secret or restricted key that cards are charged with, for `BILLING=stripe`',
      { example: 'sk_live_…', secret: true },
    ),
    STRIPE_WEBHOOK_SECRET: variable(
      text.regex(/^whsec_\S+$/, 'must begin with whsec_').optional(),
      '',
      'Stripe: the signing secret of the webhook at `/webhooks/stripe`; without it the server asks what became of a payment every ten minutes',
      { example: 'whsec_…', secret: true },
    ),
    STRIPE_API_URL: variable(
      url('https:', 'http:').optional(),
      '',
      'Stripe: origin of its API, for tests against a stand-in',
      { example: 'http://127.0.0.1:12111' },
    ),
  },
  (read, { billing, problem }) => {
    const secretKey = read('STRIPE_SECRET_KEY');
    if (billing === 'stripe' && !secretKey)
      problem('BILLING=stripe needs STRIPE_SECRET_KEY, from your dashboard under Developers');
    return secretKey
      ? {
          secretKey,
          webhookSecret: read('STRIPE_WEBHOOK_SECRET') ?? null,
          apiUrl: read('STRIPE_API_URL') ?? null,
        }
      : null;
  },
);

/** Cards at Stripe: entered on its page, charged by its API. */
export const stripe: Adapter = {
  name: 'payments-stripe',
  settings: stripeSettings,
  gateways: {
    payments: async ({ settings }) => {
      const account = stripeSettings.of(settings);
      if (!account) throw new Error('STRIPE_SECRET_KEY is not set.');
      return (await import('./payments.ts')).stripePayments(account, settings.publicUrl);
    },
  },
  when: { payments: ({ billing }) => billing === 'stripe' },
};
