import { isFeatureOn } from '#contract/numbers/features/rules';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import { isVerified } from '../compliance/index.ts';

/** The columns of our numbers that are shown and checked. */
export interface NumberSummary {
  id: number;
  number: string;
  label: string;
  providerId: number;
  providerRef: string | null;
  live: boolean;
  /** Neither the company is parked nor deactivated. */
  companyActive: boolean;
  companySuspended: boolean;
  smsEnabled: boolean;
  faxEnabled: boolean;
  verified: boolean;
  /** Part of an approved registration: its texts are sent at the registered rate. */
  registered: boolean;
  /** It, or its company, replies after hours. */
  afterHours: boolean;
}
/** Texting and fax as a company’s (`c`) settings have them. */
export const featuresOff = sql`jsonb_build_object('feature.sms', c.settings -> 'feature.sms',
  'feature.fax', c.settings -> 'feature.fax')`;

/** Whether a company has a reply after hours for numbers without one. */
export const repliesAfterHours = (
  companyId: RawBuilder<unknown>,
) => sql`exists (select from company k
  where k.id = ${companyId} and (k.settings -> 'auto_reply_after_hours' ->> 'enabled')::boolean)`;

/**
 * The columns that decide whether a number may text. `asked`: the company's setting
 * `texting_requires_verification`; null: not set.
 */
export interface NumberColumns extends Pick<
  Selectable<Tables['number']>,
  | 'id'
  | 'number'
  | 'label'
  | 'provider_id'
  | 'provider_ref'
  | 'status'
  | 'sms_enabled'
  | 'fax_enabled'
  | 'category'
  | 'sms_verification_status'
  | 'sms_verification_campaign_id'
> {
  asked: boolean | null;
  /** The company’s settings that turn features off; null: none does. */
  off: Readonly<Record<string, unknown>> | null;
  /** 0 active, 1 parked, 2 deactivated, 3 suspended until it pays. */
  company_status: number;
  after_hours: boolean;
}
/**
 * What the inbox needs to know of a number: whether it is live, can text or fax, and is registered.
 */
export const numberSummaryOf = (n: NumberColumns): NumberSummary => ({
  id: n.id,
  number: n.number,
  label: n.label,
  providerId: n.provider_id,
  providerRef: n.provider_ref,
  live: n.status === 'active',
  companyActive: n.company_status === 0 || n.company_status === 3,
  companySuspended: n.company_status === 3,
  smsEnabled: n.sms_enabled && isFeatureOn(n.off, 'sms'),
  faxEnabled: (n.fax_enabled || n.category === 3) && isFeatureOn(n.off, 'fax'),
  verified: isVerified({
    status: n.sms_verification_status,
    providerRef: n.provider_ref,
    requiredByCompany: n.asked,
  }),
  registered: n.sms_verification_status === 'approved' && n.sms_verification_campaign_id !== null,
  afterHours: n.after_hours,
});
/** These of the company's numbers by ID. Foreign and missing ones are left out. */
export const numbersByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, NumberSummary>> => {
  if (!ids.length) return new Map();
  const { rows } =
    await sql<NumberColumns>`${prepared}select n.id, n.number, n.label, n.provider_id,
      n.provider_ref, n.status, n.sms_enabled, n.fax_enabled, n.category,
      n.sms_verification_status, n.sms_verification_campaign_id,
      c.settings -> 'texting_requires_verification' as asked, ${featuresOff} as off,
      standing_of(c.status, c.suspended_at) as company_status,
      coalesce((c.settings -> 'auto_reply_after_hours' ->> 'enabled')::boolean, false)
        or exists (select from number_auto_text a where a.company_id = n.company_id
          and a.number_id = n.id and a.after_hours is not null) as after_hours
    from number n join company c on c.id = n.company_id
    where n.company_id = ${companyId} and n.id = any(${[...new Set(ids)]}::bigint[])`.execute(tx);
  return new Map(rows.map((n) => [n.id, numberSummaryOf(n)]));
};
