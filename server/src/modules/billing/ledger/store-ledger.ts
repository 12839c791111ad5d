import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

type LedgerEntry = Selectable<Tables['ledger_entry']>;

interface NewEntry {
  /** What it comes from: the same cause is entered once. */
  cause: string;
  kind: 'charge' | 'payment' | 'credit' | 'refund' | 'correction' | 'tax';
  /** Above zero: the company owes more. */
  amountCents: number;
  currency: string;
  description: string;
  correctsId?: number;
  at: Date;
}

/** Adds an entry to the books. Undefined: its cause has one already, and nothing is added. */
export const insertEntry = (
  tx: Tx,
  companyId: number,
  { cause, kind, amountCents, currency, description, correctsId, at }: NewEntry,
): Promise<LedgerEntry | undefined> =>
  tx
    .insertInto('ledger_entry')
    .values({
      company_id: companyId,
      cause,
      kind,
      amount_cents: amountCents,
      currency,
      description,
      corrects_id: correctsId ?? null,
      at,
    })
    .onConflict((c) => c.columns(['company_id', 'cause']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** What a company owes, in minor units; below zero it has credit. The sum of its entries. */
export async function balanceOf(tx: Tx, companyId: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from ledger_entry
    where company_id = ${companyId}`.execute(tx);
  return rows[0]?.cents ?? 0;
}

/** An entry of the company; undefined: there is none. */
export const entryById = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<LedgerEntry | undefined> =>
  tx
    .selectFrom('ledger_entry')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
