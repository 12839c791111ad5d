import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** Plan, state, card, address or balance of a company changed. */
export const subscriptionChanged = event<typeof payloads.subscriptionChanged>({
  name: 'subscription-changed',
  channel: 'companies',
  permission: 'billing.view',
  invalidates: [
    'getSubscription',
    'companyBilling',
    'listInvoices',
    'usageComponents',
    'usageSimple',
    'listPlans',
    'previewMigration',
    'getYearlyOffer',
  ],
});

/** A plan wasn’t paid for so long that the company’s numbers are given up. */
export const numbersForfeited = event<typeof payloads.numbersForfeited>({
  name: 'billing.numbers_forfeited',
  channel: null,
  invalidates: [],
});
