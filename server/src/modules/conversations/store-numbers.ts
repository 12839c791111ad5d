import { isFeatureOn } from '#contract/numbers/features/rules';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
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
  const rows = await tx
    .selectFrom('number')
    .select([
      'id',
      'number',
      'label',
      'provider_id',
      'provider_ref',
      'status',
      'sms_enabled',
      'fax_enabled',
      'category',
      'sms_verification_status',
      'sms_verification_campaign_id',
    ])
    .select(
      sql<boolean | null>`(select c.settings -> 'texting_requires_verification'
          from company c where c.id = number.company_id)`.as('asked'),
    )
    .select(
      sql<Record<string, unknown> | null>`(select ${featuresOff} from company c
          where c.id = number.company_id)`.as('off'),
    )
    .select(
      sql<number>`(select standing_of(c.status, c.suspended_at) from company c
          where c.id = number.company_id)`.as('company_status'),
    )
    .select(
      sql<boolean>`exists (select from number_auto_text a where a.company_id = number.company_id
          and a.number_id = number.id and a.after_hours is not null)
        or ${repliesAfterHours(sql`number.company_id`)}`.as('after_hours'),
    )
    .where('company_id', '=', companyId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((n) => [n.id, numberSummaryOf(n)]));
};
