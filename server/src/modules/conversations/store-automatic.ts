import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** So far back a phone quotes. */
const quotedDays = 30;
/** Our latest texts to a party from a number, newest first: what it may quote. */
export const latestTextsTo = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  party: string,
  now: Date,
): Promise<string[]> =>
  (
    await sql<{ text: string }>`select i.text from conversation c
        cross join lateral (select k.text from conversation_item k
          where k.company_id = c.company_id and k.conversation_id = c.id and k.kind = 'message'
            and not k.is_inbound and k.deleted_at is null and k.text is not null
            and k.created_at >= ${new Date(now.getTime() - quotedDays * 86_400_000)}
          order by k.created_at desc, k.id desc limit 10) i
      where c.company_id = ${companyId} and c.number_id = ${numberId} and c.party = ${party}
        and c.deleted_at is null`.execute(tx)
  ).rows.map((row) => row.text);

/**
 * How many automatic texts a phone got from the company since then, of whatever number and origin.
 * Confirmations of an opt-out don't count. Deleted ones do.
 */
export const automaticTextsTo = async (
  tx: Tx,
  companyId: number,
  party: string,
  since: Date,
): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int n from conversation c
        join conversation_item i on i.company_id = c.company_id and i.conversation_id = c.id
      where c.company_id = ${companyId} and c.party = ${party} and i.created_at >= ${since}
        and i.kind = 'message' and not i.is_inbound
        and i.details ->> 'automatic' is not null and i.details ->> 'automatic' <> 'stop'`.execute(
      tx,
    )
  ).rows[0]?.n ?? 0;

/** Of two jobs for one phone the second sees what the first queued. */
export const lockAutomaticTexts = (tx: Tx, companyId: number, party: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`automatic:${companyId}:${party}`}, 0))`.execute(
    tx,
  );
