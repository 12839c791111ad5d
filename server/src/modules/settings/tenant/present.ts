import { z } from 'zod';
import type { tenant as contract, Answer } from '#contract';
import { contrastWarnings } from '#contract/settings/tenant/rules';
import { dnsRecord, type DnsRecord } from '#contract/dns-record';
import { isoOrNull } from './rules.ts';
import type { DomainRow, TenantRow } from './store.ts';

type Tenant = Answer<typeof contract.getTenant>['data'];
type CustomDomain = NonNullable<Answer<typeof contract.getCustomDomain>['data']>;

/** Stored records; none for what doesn't fit. */
export const recordsOf = (stored: unknown): DnsRecord[] =>
  z.array(dnsRecord).catch([]).parse(stored);

const unset = {
  legal_name: null,
  support_email: null,
  support_phone: null,
  website: null,
  privacy_url: null,
  terms_url: null,
  logo: null,
  logo_dark: null,
  favicon: null,
  primary_color: null,
  secondary_color: null,
  login_background: null,
  email_footer: null,
  hide_vendor_name: false,
  default_plan: null,
};

/** A tenant; without a row, as it is until something is set. */
export function presentTenant(
  row: TenantRow | undefined,
  organization: { id: number; name: string },
  { hostname, simulatedDns }: { hostname: string | null; simulatedDns: boolean },
): Tenant {
  const shown = row ?? unset;
  const fields = Object.fromEntries(
    Object.keys(unset).map((key) => [key, shown[key as keyof typeof unset]]),
  ) as typeof unset;
  return {
    id: row?.id ?? null,
    organization_id: organization.id,
    hostname,
    ...fields,
    name: row?.name || organization.name,
    email_sender: {
      from_name: row?.sender_name ?? null,
      from_email: row?.sender_email ?? null,
      domain: row?.sender_email?.split('@')[1] ?? null,
      state: (row?.sender_state ?? 'not_started') as Tenant['email_sender']['state'],
      records: recordsOf(row?.sender_records ?? []),
      last_checked_at: isoOrNull(row?.sender_checked_at),
      error: row?.sender_error ?? null,
    },
    contrast_warnings: contrastWarnings(fields),
    simulated_dns: simulatedDns,
    created_at: isoOrNull(row?.created_at),
  };
}

export const presentDomain = (row: DomainRow): CustomDomain => ({
  domain: row.domain,
  api_host: row.api_host,
  app_host: row.app_host,
  status: row.status as CustomDomain['status'],
  records: recordsOf(row.records),
  has_auth_token: row.auth_token_sealed !== null,
  error: row.error,
  last_checked_at: isoOrNull(row.checked_at),
  certificate_expires_at: isoOrNull(row.certificate_expires_at),
});
