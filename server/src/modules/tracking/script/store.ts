import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Websites that are remembered of one company: its pools' domains can stand for any number. */
const MOST_SITES = 200;

/** Whether the company's script is switched on. */
export async function isScriptEnabled(tx: Tx, companyId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('tracking_script')
    .select('is_enabled')
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return row?.is_enabled ?? true;
}

interface FormSetting {
  isEnabled: boolean;
  selectors: string[];
}

/** Whether forms of the company's websites become leads, and which are captured. */
export async function formSetting(tx: Tx, companyId: number): Promise<FormSetting> {
  const row = await tx
    .selectFrom('tracking_script')
    .select(['takes_forms', 'form_selectors'])
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return { isEnabled: row?.takes_forms ?? false, selectors: row?.form_selectors ?? [] };
}

/** The subdomain from which the company's pages load the script; null: from our address. */
export async function firstPartySetting(tx: Tx, companyId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('tracking_script')
    .select('first_party_host')
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return row?.first_party_host ?? null;
}

/** Sets it. */
export async function setFirstParty(
  tx: Tx,
  companyId: number,
  host: string | null,
  now: Date,
): Promise<void> {
  const set = { first_party_host: host, changed_at: now };
  await tx
    .insertInto('tracking_script')
    .values({ company_id: companyId, is_enabled: true, ...set })
    .onConflict((one) => one.column('company_id').doUpdateSet(set))
    .execute();
}

/** Sets which forms become leads; a company that never switched its script has it on. */
export async function setForms(
  tx: Tx,
  companyId: number,
  { isEnabled, selectors }: FormSetting,
  now: Date,
): Promise<void> {
  const set = { takes_forms: isEnabled, form_selectors: selectors, changed_at: now };
  await tx
    .insertInto('tracking_script')
    .values({ company_id: companyId, is_enabled: true, ...set })
    .onConflict((one) => one.column('company_id').doUpdateSet(set))
    .execute();
}

/** Switches the company's script on or off. */
export async function setScriptEnabled(
  tx: Tx,
  companyId: number,
  isEnabled: boolean,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('tracking_script')
    .values({ company_id: companyId, is_enabled: isEnabled, changed_at: now })
    .onConflict((one) =>
      one.column('company_id').doUpdateSet({ is_enabled: isEnabled, changed_at: now }),
    )
    .execute();
}

/** The websites where the script was heard from, the latest first. */
export const sitesSeen = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('tracking_site')
    .select([
      ...(['host', 'last_seen_at', 'version', 'swapped', 'swapped_at'] as const),
      ...(['first_party_host', 'first_party_at', 'is_same_network'] as const),
    ])
    .where('company_id', '=', companyId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('host')
    .limit(MOST_SITES)
    .execute();

/** The script was heard from on a website. Of a company with very many, new ones aren't kept. */
export async function storeSite(
  tx: Tx,
  companyId: number,
  seen: {
    host: string;
    version: string | null;
    swapped: number | null;
    firstPartyHost: string | null;
    at: Date;
  },
): Promise<void> {
  const { host, version, swapped, firstPartyHost, at } = seen;
  await sql`insert into tracking_site as site
      (company_id, host, last_seen_at, version, swapped, swapped_at, first_party_host, first_party_at)
    select ${companyId}, ${host}, ${at}, ${version}, ${swapped},
      case when ${swapped}::int is null then null else ${at}::timestamptz end,
      ${firstPartyHost}::text, case when ${firstPartyHost}::text is null then null else ${at}::timestamptz end
    where exists (select from tracking_site where company_id = ${companyId} and host = ${host})
      or (select count(*) from tracking_site where company_id = ${companyId}) < ${MOST_SITES}
    on conflict (company_id, host) do update set
      last_seen_at = greatest(site.last_seen_at, excluded.last_seen_at),
      version = coalesce(excluded.version, site.version),
      swapped = coalesce(excluded.swapped, site.swapped),
      swapped_at = coalesce(excluded.swapped_at, site.swapped_at),
      is_same_network = case when excluded.first_party_host <> site.first_party_host then null
        else site.is_same_network end,
      first_party_host = coalesce(excluded.first_party_host, site.first_party_host),
      first_party_at = coalesce(excluded.first_party_at, site.first_party_at)`.execute(tx);
}

/** When the script was last heard from on a website; null: never. */
export async function siteSeen(tx: Tx, companyId: number, host: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('tracking_site')
    .select('last_seen_at')
    .where('company_id', '=', companyId)
    .where('host', '=', host)
    .executeTakeFirst();
  return row?.last_seen_at ?? null;
}
