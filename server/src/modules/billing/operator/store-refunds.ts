import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type RefundRow = Selectable<Tables['payment_refund']>;

/** Stores a refund before it is asked for. */
export const insertRefund = (
  tx: Tx,
  companyId: number,
  refund: Pick<
    RefundRow,
    | 'credit_note_id'
    | 'attempt_id'
    | 'amount_cents'
    | 'currency'
    | 'state'
    | 'ends_plan'
    | 'created_at'
    | 'settled_at'
  >,
): Promise<RefundRow> =>
  tx
    .insertInto('payment_refund')
    .values({ company_id: companyId, ...refund })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A refund of the company; undefined: there is none of this ID. */
export const refundById = (tx: Tx, companyId: number, id: number): Promise<RefundRow | undefined> =>
  tx
    .selectFrom('payment_refund')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Stores what became of a refund. Undefined: that was stored already. */
export const settleRefund = (
  tx: Tx,
  { company_id: companyId, id }: RefundRow,
  outcome: { state: 'done' | 'refused'; reason: string | null; settled_at: Date },
): Promise<RefundRow | undefined> =>
  tx
    .updateTable('payment_refund')
    .set(outcome)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();

/** What was refunded of each invoice, refused ones left out, by its ID. */
export async function refundedOf(tx: Tx, companyId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ invoice: number; cents: number }>`
    select split_part(i.cause, ':', 2)::bigint as invoice, sum(r.amount_cents)::bigint as cents
    from payment_refund r
      join invoice i on i.company_id = r.company_id and i.id = r.credit_note_id
    where r.company_id = ${companyId} and r.state <> 'refused' group by 1`.execute(tx);
  return new Map(rows.map((row) => [row.invoice, row.cents]));
}

/** Whether the provider refused to pay money of this invoice back. */
export async function wasRefused(tx: Tx, companyId: number, invoiceId: number): Promise<boolean> {
  const { rows } = await sql`select from payment_refund r
      join invoice i on i.company_id = r.company_id and i.id = r.credit_note_id
    where r.company_id = ${companyId} and r.state = 'refused'
      and split_part(i.cause, ':', 2) = ${String(invoiceId)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** A charge of the company's card that was paid and is at least this high, the newest; undefined: none. */
export const paidAttempt = (tx: Tx, companyId: number, least: number) =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('state', '=', 'paid')
    .where('amount_cents', '>=', least)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
