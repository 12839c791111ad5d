import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A27: on the account's channel, with the usage as GET /caddy/billing/usage answers it. */
export const caddyBillingUsageUpdated = event<typeof payloads.caddyBillingUsageUpdated>({
  name: 'caddy-billing-usage-updated',
  channel: 'caddy',
  // Each text and call changes the usage, so this is how the app follows its conversations, too, and
  // its plan.
  invalidates: [
    'getCaddyProfile',
    'getSubscription',
    'companyBilling',
    'listInvoices',
    'previewMigration',
    'getCaddyUsage',
    'listCaddyNumbers',
    'listConversations',
    'getConversation',
    'listConversationItems',
  ],
});
