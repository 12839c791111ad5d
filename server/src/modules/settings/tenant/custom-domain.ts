import type { Answer, Body, Query, tenant as contract } from '#contract';
import { dnsCheckHours } from '#contract/settings/tenant/rules';
import type { DnsRecord } from '#contract/dns-record';
import { NoCertificateError } from '../../../gateways/certificates.ts';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import {
  checkRecords,
  missingRecords,
  ownershipRecord,
  registrableDomain,
} from '../../../platform/dns-records.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { randomToken, seal } from '../../../platform/secrets.ts';
import { organizationWithCompanies } from '../../companies/index.ts';
import { publishTenantChanged, requireOrganization, type Organization } from './organization.ts';
import { presentDomain, recordsOf } from './present.ts';
import { hostRecord } from './rules.ts';
import {
  domainOf,
  patchDomain,
  replaceDomain,
  takenHosts,
  tenantById,
  tenantOf,
  upsertTenant,
  type DomainRow,
} from './store.ts';

// The system role: the tenant belongs to an organization, above its companies.

/** `businessUnitId` of a request must be the company's own organization; else `not_found`. */
async function organizationOf(ctx: Ctx, businessUnitId: number | undefined): Promise<Organization> {
  const organization = await requireOrganization(ctx);
  return businessUnitId === undefined || businessUnitId === organization.id
    ? organization
    : notFound();
}

/** What a domain looks like before it is used: suggestions, and hosts that others have. */
export async function checkCustomDomain(
  ctx: Ctx,
  { domainName, businessUnitId }: Query<typeof contract.checkCustomDomain>,
): Promise<Answer<typeof contract.checkCustomDomain>> {
  const organization = await organizationOf(ctx, businessUnitId);
  const domain = registrableDomain(domainName);
  if (domain === null)
    return { data: { valid: false, registrable_domain: null, suggestions: null, conflicts: [] } };
  const suggestions = { api: `api.${domain}`, app: `app.${domain}` };
  const own = await tenantOf(ctx.db.unscoped, organization.id);
  const hosts = [suggestions.api, suggestions.app];
  return {
    data: {
      valid: true,
      registrable_domain: domain,
      suggestions,
      conflicts: await takenHosts(ctx.db.unscoped, hosts, own?.id ?? 0),
    },
  };
}

/** The organization's custom domain; null: none. */
export async function getCustomDomain(ctx: Ctx): Promise<Answer<typeof contract.getCustomDomain>> {
  const { id } = await requireOrganization(ctx);
  const row = await tenantOf(ctx.db.unscoped, id);
  const domain = row && (await domainOf(ctx.db.unscoped, row.id));
  return { data: domain ? presentDomain(domain) : null };
}

/**
 * Uses a domain, and checks its DNS at once. The same hosts again keep their records and state.
 * Fails with `domain.invalid`, `domain.taken` and `tenant.no_organization`.
 */
export async function setCustomDomain(
  ctx: Ctx,
  body: Body<typeof contract.setCustomDomain>,
): Promise<Answer<typeof contract.setCustomDomain>> {
  const organization = await organizationOf(ctx, body.businessUnitId);
  const domain = registrableDomain(body.domain) ?? fail('domain.invalid');
  const [apiHost, appHost] = [`${body.apiSubdomain}.${domain}`, `${body.appSubdomain}.${domain}`];
  const tenantId = await ctx.db.systemTransaction(async (tx) => {
    const { id } = await upsertTenant(tx, organization.id, {}, ctx.now);
    const [taken] = await takenHosts(tx, [apiHost, appHost], id);
    if (taken !== undefined) fail('domain.taken', { host: taken });
    const before = await domainOf(tx, id);
    const isSame = before?.api_host === apiHost && before.app_host === appHost;
    const token = body.authToken && seal(ctx.settings.appSecrets, body.authToken);
    const fresh = {
      status: 'pending_dns',
      records: JSON.stringify(domainRecords(ctx, domain, [apiHost, appHost])),
      error: null,
      checked_at: null,
      certificate_expires_at: null,
      auth_token_sealed: null,
    };
    await replaceDomain(tx, {
      tenant_id: id,
      domain,
      api_host: apiHost,
      app_host: appHost,
      started_at: ctx.now,
      ...(isSame ? {} : fresh),
      ...(token && { auth_token_sealed: token }),
      ...(isSame && before.status === 'failed' && { status: 'pending_dns' }),
    });
    await audit({ ...ctx, tx }, 'tenant.domain_changed', `organization:${organization.id}`, {
      before: before && { api_host: before.api_host, app_host: before.app_host },
      after: { api_host: apiHost, app_host: appHost },
    });
    await publishTenantChanged(tx, organization);
    return id;
  });
  await checkDomain(ctx, tenantId);
  const row = (await domainOf(ctx.db.unscoped, tenantId)) ?? notFound();
  return { data: presentDomain(row) };
}

/** What the owner of the domain must publish: that it is theirs, and that its hosts are here. */
function domainRecords(ctx: Ctx, domain: string, hosts: readonly string[]): DnsRecord[] {
  const target = new URL(ctx.settings.publicUrl).hostname;
  return [
    ownershipRecord(domain, randomToken('v')),
    ...hosts.map((host) => hostRecord(host, target)),
  ];
}

/** Looks at a domain's DNS, then at its certificate, and stores how far it is. */
export async function checkDomain(
  ctx: Pick<Ctx, 'db' | 'gateways' | 'now'>,
  tenantId: number,
): Promise<void> {
  const row = await domainOf(ctx.db.unscoped, tenantId);
  const tenant = await tenantById(ctx.db.unscoped, tenantId);
  if (!row || !tenant || row.status === 'failed') return;
  const records = await checkRecords(ctx.gateways.dns, recordsOf(row.records));
  if (records === null) return save({ checked_at: ctx.now });
  const seen = { records: JSON.stringify(records), checked_at: ctx.now };
  const missing = missingRecords(records);
  if (missing !== null) return save({ ...seen, ...waiting(row, ctx.now, missing) });
  const hosts = [row.api_host, row.app_host];
  const [taken] = await takenHosts(ctx.db.unscoped, hosts, tenantId);
  if (taken !== undefined)
    return save({
      ...seen,
      status: 'failed',
      error: `Another organization already uses ${taken}.`,
    });
  // The proxy may order the certificate only for hosts in this state.
  if (row.status === 'pending_dns') await save({ ...seen, status: 'issuing_certificate' });
  try {
    const { expiresAt } = await ctx.gateways.certificates.issue(hosts, ctx.now);
    return await save({
      ...seen,
      status: 'active',
      error: null,
      certificate_expires_at: expiresAt,
    });
  } catch (error) {
    if (!(error instanceof NoCertificateError)) throw error;
    return save({
      ...seen,
      ...waiting({ ...row, status: 'issuing_certificate' }, ctx.now, error.message),
    });
  }

  async function save(values: Parameters<typeof patchDomain>[2]): Promise<void> {
    await ctx.db.systemTransaction(async (tx) => {
      await patchDomain(tx, tenantId, values);
      const organization = await organizationWithCompanies(tx, tenant?.organization_id ?? 0);
      if (organization) await publishTenantChanged(tx, organization);
    });
  }
}

/**
 * What is missing, and whether it is still waited for: 72 hours, from the start or, for a domain
 * that was active, from now.
 */
function waiting(row: DomainRow, now: Date, error: string) {
  if (row.status === 'active') return { error, status: 'pending_dns', started_at: now };
  const isOver = now.getTime() - row.started_at.getTime() >= dnsCheckHours * 3_600_000;
  return { error, status: isOver ? 'failed' : row.status };
}
