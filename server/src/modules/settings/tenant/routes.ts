import { tenant as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { checkCustomDomain, getCustomDomain, setCustomDomain } from './custom-domain.ts';
import { getTenant, getTenantConfig, tlsAllowed, updateTenantInformation } from './read-tenant.ts';
import { startSenderVerification } from './sender.ts';

export const routes = defineRoutes(contract, {
  getTenant: withoutTransaction((ctx) => getTenant(ctx)),
  updateTenantInformation: withoutTransaction((ctx, { body }) =>
    updateTenantInformation(ctx, body),
  ),
  startSenderVerification: withoutTransaction((ctx, { body }) =>
    startSenderVerification(ctx, body),
  ),
  getTenantConfig: withoutTransaction((ctx, { query }) => getTenantConfig(ctx, query)),
  checkCustomDomain: withoutTransaction((ctx, { query }) => checkCustomDomain(ctx, query)),
  getCustomDomain: withoutTransaction((ctx) => getCustomDomain(ctx)),
  setCustomDomain: withoutTransaction((ctx, { body }) => setCustomDomain(ctx, body)),
  tlsAllowed: withoutTransaction((ctx, { query }) => tlsAllowed(ctx, query)),
});
