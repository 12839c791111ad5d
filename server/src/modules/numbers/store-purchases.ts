import { sql } from 'kysely';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import type { Tx } from '../../platform/db.ts';
import type { Category } from './rules.ts';
import { unclaimNumber } from './store.ts';

/** A row to insert. `purchase_key` identifies a purchase; `found` null: no search found it. */
export interface NewNumber {
  number: string;
  label: string;
  status: 'pending' | 'active';
  kind: number;
  category: Category;
  country: string;
  area_code: string;
  found: AvailableNumber | null;
  purchase_key: string | null;
  purchased_by: number | null;
  provider_ref?: string;
  record: boolean;
  call_transcription_enabled: boolean;
  schedule_id: number | null;
  ai_eav_enabled: boolean;
  voicemail_transcribe: boolean;
  recording_announcement?: 'none' | 'default';
  sms_verification_status: string;
  at: Date;
}
/**
 * Enters a number in the directory and inserts its row; returns the row's id. `holder` is the user
 * whose reservation may be used. Null: another company has it, or another user reserved it.
 */
export async function claimNumber(
  tx: Tx,
  companyId: number,
  n: NewNumber,
  holder: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number; won: boolean }>`
    with new as materialized (select next_id() id)
    select id, claim_number(${n.number}, id, ${holder}, ${n.at}) won from new`.execute(tx);
  const claim = rows[0];
  if (!claim?.won) return null;
  const { id } = claim;
  const features = n.found?.features ?? (n.category === 3 ? ['fax'] : ['voice', 'sms', 'mms']);
  await tx
    .insertInto('number')
    .values({
      company_id: companyId,
      id,
      number: n.number,
      label: n.label,
      status: n.status,
      kind: n.kind,
      category: n.category,
      country: n.country,
      area_code: n.area_code,
      purchase_key: n.purchase_key,
      purchased_by: n.purchased_by,
      provider_ref: n.provider_ref ?? null,
      provider_id: n.found?.providerId ?? 1,
      region: n.found?.region ?? '',
      city: n.found?.city ?? '',
      rate_center: n.found?.rateCenter ?? '',
      vanity_text: n.found?.vanityText ?? null,
      monthly_price_cents: n.found?.monthlyCents ?? 0,
      setup_price_cents: n.found?.setupCents ?? 0,
      record: n.record,
      call_transcription_enabled: n.call_transcription_enabled,
      schedule_id: n.schedule_id,
      ai_eav_enabled: n.ai_eav_enabled,
      voicemail_transcribe: n.voicemail_transcribe,
      recording_announcement: n.recording_announcement ?? 'default',
      sms_verification_status: n.sms_verification_status,
      sms_enabled: features.includes('sms'),
      mms_enabled: features.includes('mms'),
      fax_enabled: features.includes('fax'),
      purchased_at: n.at,
      created_at: n.at,
      updated_at: n.at,
    })
    .execute();
  return id;
}
/** The numbers of one purchase that weren't given up, in any state. */
export const purchaseRows = (tx: Tx, companyId: number, key: string) =>
  tx
    .selectFrom('number')
    .select(['id', 'number', 'status', 'provider_id'])
    .where('company_id', '=', companyId)
    .where('purchase_key', '=', key)
    .where('status', '<>', 'released')
    .execute();
/** Activates a number that the carrier delivered. False: it no longer waits for the carrier. */
export async function activateNumber(
  tx: Tx,
  companyId: number,
  id: number,
  providerRef: string,
  found: AvailableNumber,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update number set status = 'active', provider_ref = ${providerRef}, updated_at = ${now},
      region = coalesce(nullif(region, ''), ${found.region}),
      city = coalesce(nullif(city, ''), ${found.city}),
      rate_center = coalesce(nullif(rate_center, ''), ${found.rateCenter}),
      monthly_price_cents = case
        when monthly_price_cents = 0 then ${found.monthlyCents} else monthly_price_cents end
    where company_id = ${companyId} and id = ${id} and status = 'pending'
    returning 1`.execute(tx);
  return rows.length > 0;
}
/** Removes the rows and directory entries of a purchase that failed. */
export async function deleteClaims(
  tx: Tx,
  companyId: number,
  numbers: readonly { id: number; number: string }[],
): Promise<void> {
  for (const { id, number } of numbers) {
    await unclaimNumber(tx, number, id);
    await tx
      .deleteFrom('number')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  }
}
/**
 * Gives up a number that was returned to the carrier. False: it isn't due, or was kept or given up.
 */
export async function releaseNumber(
  tx: Tx,
  companyId: number,
  id: number,
  number: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update number set status = 'released', released_at = ${now}, updated_at = ${now}
    where company_id = ${companyId} and id = ${id} and status = 'releasing'
      and returns_at <= ${now}
    returning 1`.execute(tx);
  if (rows.length) await unclaimNumber(tx, number, id);
  return rows.length > 0;
}
