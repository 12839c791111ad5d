import type { Answer, Body, Query, tenant as contract } from '#contract';
import { featureKey } from '#contract/numbers/features/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { valuesFor } from '../../companies/index.ts';
import { publishTenantChanged, requireOrganization, type Organization } from './organization.ts';
import { presentTenant } from './present.ts';
import { domainOf, isProvenHost, tenantAt, tenantOf, upsertTenant } from './store.ts';

// The system role: the tenant belongs to an organization, above its companies.

/** The tenant of an organization as its administrators see it. */
export async function readTenant(
  ctx: Ctx,
  organization: Organization,
): Promise<Answer<typeof contract.getTenant>> {
  const row = await tenantOf(ctx.db.unscoped, organization.id);
  const domain = row && (await domainOf(ctx.db.unscoped, row.id));
  return {
    data: presentTenant(row, organization, {
      hostname: domain?.status === 'active' ? domain.app_host : null,
      simulatedDns: ctx.gateways.dns.name === 'sandbox',
    }),
  };
}

/** The tenant of the company's organization. Fails with `tenant.no_organization`. */
export const getTenant = async (ctx: Ctx) => readTenant(ctx, await requireOrganization(ctx));

/** Changes an organization's name, contact, links and look. Fails with `tenant.no_organization`. */
export async function updateTenantInformation(
  ctx: Ctx,
  body: Body<typeof contract.updateTenantInformation>,
): Promise<Answer<typeof contract.updateTenantInformation>> {
  const organization = await requireOrganization(ctx);
  const { data: before } = await readTenant(ctx, organization);
  const values = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, value === '' ? null : value]),
  );
  await ctx.db.systemTransaction(async (tx) => {
    await upsertTenant(tx, organization.id, values, ctx.now);
    await audit({ ...ctx, tx }, 'tenant.updated', `organization:${organization.id}`, {
      before: Object.fromEntries(
        Object.keys(values).map((key) => [key, before[key as keyof typeof before] ?? null]),
      ),
      after: values,
    });
    await publishTenantChanged(tx, organization);
  });
  return readTenant(ctx, organization);
}

/** The public look of the tenant at a host; of the product for hosts of no tenant. */
export async function getTenantConfig(
  ctx: Ctx,
  { hostname }: Query<typeof contract.getTenantConfig>,
): Promise<Answer<typeof contract.getTenantConfig>> {
  const host = hostname?.toLowerCase().replace(/:\d+$/, '');
  const found = host === undefined ? undefined : await tenantAt(ctx.db.unscoped, host);
  const row = found && (await hasOwnBrand(ctx, found.organization_id)) ? found : undefined;
  return {
    data: {
      name: row?.name || 'Trunkline',
      logo: row?.logo ?? null,
      logo_dark: row?.logo_dark ?? null,
      favicon: row?.favicon ?? null,
      primary_color: row?.primary_color ?? null,
      secondary_color: row?.secondary_color ?? null,
      login_background: row?.login_background ?? null,
      support_email: row?.support_email ?? null,
      support_phone: row?.support_phone ?? null,
      website: row?.website ?? null,
      privacy_url: row?.privacy_url ?? null,
      terms_url: row?.terms_url ?? null,
      hide_vendor_name: row?.hide_vendor_name ?? false,
      features: [],
      api_base: '/api',
      realtime_key: 'trunkline',
    },
  };
}

/** Whether the organization shows a brand of its own: the feature `white-label`. */
async function hasOwnBrand(ctx: Ctx, organizationId: number): Promise<boolean> {
  const values = await valuesFor(ctx.db.unscoped, { companyId: null, organizationId });
  const set = values.filter((row) => row.key === featureKey('white-label'));
  return (set.find((row) => row.organization_id !== null) ?? set[0])?.value !== false;
}

/** Whether the reverse proxy may order a certificate for this host. `not_found`: it may not. */
export async function tlsAllowed(
  ctx: Ctx,
  { domain }: Query<typeof contract.tlsAllowed>,
): Promise<Answer<typeof contract.tlsAllowed>> {
  if (!(await isProvenHost(ctx.db.unscoped, domain.toLowerCase()))) notFound();
  return { data: { allowed: true } };
}
