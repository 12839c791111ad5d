import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type PaymentAttempt = Selectable<Tables['payment_attempt']>;

/** Stores a charge before it is asked for. Undefined: another one isn't settled yet. */
export const insertAttempt = (
  tx: Tx,
  companyId: number,
  attempt: {
    amount_cents: number;
    currency: string;
    provider: string;
    card_reference: string;
    card_last4: string;
    created_at: Date;
  },
): Promise<PaymentAttempt | undefined> =>
  tx
    .insertInto('payment_attempt')
    .values({ company_id: companyId, ...attempt })
    .onConflict((c) =>
      c.column('company_id').where('state', 'in', ['pending', 'confirm']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/** The charge that isn't settled yet; undefined: there is none. */
export const openAttempt = (tx: Tx, companyId: number): Promise<PaymentAttempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('state', 'in', ['pending', 'confirm'])
    .executeTakeFirst();

/** A charge of the company; undefined: there is none of this ID. */
export const attemptById = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<PaymentAttempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Stores what became of a charge that wasn't settled. Undefined: it was settled meanwhile. */
export const settleAttempt = (
  tx: Tx,
  { company_id: companyId, id }: Pick<PaymentAttempt, 'company_id' | 'id'>,
  outcome: {
    state: 'confirm' | 'paid' | 'declined';
    reason: string | null;
    provider_reference: string | null;
    settled_at: Date | null;
  },
): Promise<PaymentAttempt | undefined> =>
  tx
    .updateTable('payment_attempt')
    .set(outcome)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'confirm'])
    .returningAll()
    .executeTakeFirst();
