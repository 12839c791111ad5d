import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type OfferRow = Selectable<Tables['yearly_upgrade_offer']>;

/** The company's newest offer, open or not; undefined: it never had one. */
export const latestOffer = (tx: Tx, companyId: number): Promise<OfferRow | undefined> =>
  tx
    .selectFrom('yearly_upgrade_offer')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** An offer, locked until the transaction ends. Undefined: none of this ID. */
export const lockedOffer = (tx: Tx, companyId: number, id: number): Promise<OfferRow | undefined> =>
  tx
    .selectFrom('yearly_upgrade_offer')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/**
 * Companies on these plans that subscribed before `steadySince` and had no offer since `restSince`:
 * the system role.
 */
export const companiesToOffer = async (
  tx: Tx,
  {
    plans,
    steadySince,
    restSince,
    most,
  }: { plans: readonly string[]; steadySince: Date; restSince: Date; most: number },
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select s.company_id as id from subscription s
      where s.state = 'active' and s.pending_plan is null and s.plan = any(${[...plans]}::text[])
        and s.subscribed_at <= ${steadySince}
        and not exists (select from yearly_upgrade_offer o
          where o.company_id = s.company_id and o.created_at > ${restSince})
        and not exists (select from payment_attempt p
          where p.company_id = s.company_id and p.state = 'declined'
            and p.created_at >= ${steadySince})
      order by s.company_id limit ${most}`.execute(tx)
  ).rows.map(({ id }) => id);

/** Makes an offer. */
export const insertOffer = (
  tx: Tx,
  companyId: number,
  offer: Pick<
    OfferRow,
    | 'from_plan'
    | 'to_plan'
    | 'monthly_price_cents'
    | 'yearly_price_cents'
    | 'expires_at'
    | 'created_at'
  >,
): Promise<OfferRow> =>
  tx
    .insertInto('yearly_upgrade_offer')
    .values({ company_id: companyId, ...offer })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Notes when an offer was seen or taken up first. */
export const markOffer = (
  tx: Tx,
  row: OfferRow,
  marks: { viewed_at: Date; used_at: Date | null },
): Promise<OfferRow> =>
  tx
    .updateTable('yearly_upgrade_offer')
    .set(marks)
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Whether a charge of the company was declined since then. */
export async function wasDeclinedSince(tx: Tx, companyId: number, since: Date): Promise<boolean> {
  const { rows } = await sql`select 1 from payment_attempt
    where company_id = ${companyId} and state = 'declined' and created_at >= ${since}
    limit 1`.execute(tx);
  return rows.length > 0;
}
