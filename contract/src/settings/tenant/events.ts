import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** The tenant's information, mail sender or domain changed. */
export const tenantChanged = event<typeof payloads.tenantChanged>({
  name: 'tenant.changed',
  channel: 'companies',
  invalidates: ['getTenant', 'getCustomDomain', 'getTenantConfig'],
});
