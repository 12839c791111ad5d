import type { Adapter } from '../adapter.ts';

/** A simulated payment provider with test cards; no money moves. */
export const sandboxPayments: Adapter = {
  name: 'payments-sandbox',
  gateways: {
    payments: async (services) => (await import('./payments.ts')).sandboxPaymentProvider(services),
  },
  when: { payments: ({ billing }) => billing === 'sandbox' },
  web: async (app, services) => {
    if (services.settings.billing === 'sandbox')
      await app.register((await import('./routes.ts')).sandboxPaymentRoutes(services));
  },
};
