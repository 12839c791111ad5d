import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A27: on the account's channel, with the usage as GET /caddy/billing/usage answers it. */
export const caddyBillingUsageUpdated = event<typeof payloads.caddyBillingUsageUpdated>({
  name: 'caddy-billing-usage-updated',
  channel: 'caddy',
  invalidates: ['getCaddyUsage', 'listCaddyNumbers'],
});
