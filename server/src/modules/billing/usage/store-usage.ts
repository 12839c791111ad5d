import { sql } from 'kysely';
import type { UsageComponent } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';

interface Window {
  from: Date;
  to: Date;
}

/** What was used of each component within a period: quantity, and seconds where it is time. */
export async function usedIn(
  tx: Tx,
  companyId: number,
  { from, to }: Window,
): Promise<Map<string, { quantity: number; seconds: number | null }>> {
  const { rows } = await sql<{ component: string; quantity: number; seconds: number | null }>`
    select component, sum(quantity)::bigint as quantity, sum(seconds)::bigint as seconds
    from usage_entry where company_id = ${companyId} and at >= ${from} and at < ${to}
    group by component`.execute(tx);
  return new Map(rows.map((row) => [row.component, row]));
}

/** How much of each component a company holds at a time: numbers bought less numbers given up. */
export async function heldAt(
  tx: Tx,
  companyId: number,
  components: readonly UsageComponent[],
  at: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ component: string; held: number }>`
    select component, sum(quantity)::bigint as held from usage_entry
    where company_id = ${companyId} and component = any(${[...components]}::text[]) and at < ${at}
    group by component`.execute(tx);
  return new Map(rows.map((row) => [row.component, row.held]));
}

/** What a company stores now: recordings, pictures, documents, in started gigabytes. */
export const storedGigabytes = async (tx: Tx, companyId: number): Promise<number> =>
  (
    await sql<{ gb: number }>`select ceil(coalesce(sum(bytes), 0) / 1e9)::int as gb from file
      where company_id = ${companyId} and deleted_at is null`.execute(tx)
  ).rows[0]?.gb ?? 0;

/** Used quantities by component and day (UTC), within a period. */
export const usedByDay = async (
  tx: Tx,
  companyId: number,
  { from, to }: Window,
): Promise<{ component: string; date: string; qty: number }[]> =>
  (
    await sql<{ component: string; date: string; qty: number }>`
      select component, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as date,
        sum(quantity)::bigint as qty
      from usage_entry where company_id = ${companyId} and at >= ${from} and at < ${to}
      group by 1, 2 order by 2`.execute(tx)
  ).rows;

interface RegistrationFee {
  company_id: number;
  /** Once each. */
  cause: string;
  cents: number;
}

/** Adds fees of text registrations to what companies used; one that was added before is left out. */
export const noteRegistrationFees = (tx: Tx, fees: readonly RegistrationFee[], at: Date) =>
  sql`select note_usage(f.company_id, 'sms_registration_fee', f.cause, f.cents, null, null, ${at})
    from json_to_recordset(${JSON.stringify(fees)}::json)
      f(company_id bigint, cause text, cents int) where f.cents > 0`.execute(tx);
