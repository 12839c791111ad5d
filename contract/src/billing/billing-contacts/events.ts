import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A billing contact was added, changed or removed. */
export const billingContactsChanged = event<typeof payloads.billingContactsChanged>({
  name: 'billing-contacts-changed',
  channel: 'companies',
  permission: 'billingContacts.view',
  invalidates: ['listBillingContacts'],
});
