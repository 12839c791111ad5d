import { isFeatureOn } from '#contract/numbers/features/rules';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { isVerified } from '../compliance/index.ts';

/** A number of ours, as far as sending depends on it. */
export interface SendingNumber {
  id: number;
  number: string;
  label: string;
  providerId: number;
  providerRef: string | null;
  live: boolean;
  companyActive: boolean;
  companySuspended: boolean;
  smsEnabled: boolean;
  verified: boolean;
  registered: boolean;
}
/**
 * These numbers of the company, by ID; missing ones are left out. Reads numbers' and companies'
 * tables.
 */
export async function sendingNumbers(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, SendingNumber>> {
  if (!ids.length) return new Map();
  const rows = await tx
    .selectFrom('number')
    .selectAll()
    .select(
      sql<boolean | null>`(select c.settings -> 'texting_requires_verification'
          from company c where c.id = number.company_id)`.as('asked'),
    )
    .select(
      sql<unknown>`(select c.settings -> 'feature.sms'
          from company c where c.id = number.company_id)`.as('texting'),
    )
    .select(
      sql<number>`(select standing_of(c.status, c.suspended_at) from company c
          where c.id = number.company_id)`.as('company_status'),
    )
    .where('company_id', '=', companyId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(
    rows.map((n) => [
      n.id,
      {
        id: n.id,
        number: n.number,
        label: n.label,
        providerId: n.provider_id,
        providerRef: n.provider_ref,
        live: n.status === 'active',
        companyActive: n.company_status === 0 || n.company_status === 3,
        companySuspended: n.company_status === 3,
        smsEnabled: n.sms_enabled && n.category !== 3 && n.texting !== false,
        verified: isVerified({
          status: n.sms_verification_status,
          providerRef: n.provider_ref,
          requiredByCompany: n.asked,
        }),
        registered:
          n.sms_verification_status === 'approved' && n.sms_verification_campaign_id !== null,
      },
    ]),
  );
}
/** The company, as far as its campaigns depend on it. */
export interface CompanyAccount {
  name: string;
  timezone: string;
  linksEnabled: boolean;
  picturesEnabled: boolean;
  settings: unknown;
}
/** Reads the companies' table. Throws if there is no such company. */
export async function companyAccountOf(tx: Tx, companyId: number): Promise<CompanyAccount> {
  const c = await tx
    .selectFrom('company')
    .select(['name', 'timezone', 'links_enabled', 'settings'])
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
  return {
    name: c.name,
    timezone: c.timezone,
    linksEnabled: c.links_enabled && isFeatureOn(c.settings, 'links-in-messages'),
    picturesEnabled: isFeatureOn(c.settings, 'mms'),
    settings: c.settings,
  };
}
