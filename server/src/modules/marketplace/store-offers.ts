import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type OfferRow = Selectable<Tables['marketplace_offer']>;
const offerColumns = [
  'id',
  'buyer_company_id',
  'buyer_name',
  'buyer_email',
  'amount_cents',
  'term_months',
] as const;
export type Offer = Pick<OfferRow, (typeof offerColumns)[number]>;

/** The latest 200 offers for a listing, newest first. */
export const offersOf = (tx: Tx, companyId: number, id: number): Promise<OfferRow[]> =>
  tx
    .selectFrom('marketplace_offer')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();

/** Stores an offer for a listed number. `amount_cents`: US cents a month. */
export const insertOffer = (
  tx: Tx,
  offer: {
    company_id: number;
    marketplace_id: number;
    buyer_company_id: number;
    buyer_name: string;
    buyer_email: string;
    amount_cents: number;
    term_months: number;
    message: string;
    created_at: Date;
    expires_at: Date;
  },
): Promise<OfferRow> =>
  tx.insertInto('marketplace_offer').values(offer).returningAll().executeTakeFirstOrThrow();

/** Accepts or declines an open offer. Undefined: the listing has no such offer, or it expired. */
export const decideOpenOffer = (
  tx: Tx,
  companyId: number,
  id: number,
  offerId: number,
  status: 'accepted' | 'declined',
  at: Date,
): Promise<Offer | undefined> =>
  tx
    .updateTable('marketplace_offer')
    .set({ status, decided_at: at })
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .where('id', '=', offerId)
    .where('status', '=', 'open')
    .where('expires_at', '>', at)
    .returning(offerColumns)
    .executeTakeFirst();

/** Declines and returns every open offer for a listing. */
export const declineOffers = (tx: Tx, companyId: number, id: number, at: Date): Promise<Offer[]> =>
  tx
    .updateTable('marketplace_offer')
    .set({ status: 'declined', decided_at: at })
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .where('status', '=', 'open')
    .returning(offerColumns)
    .execute();

/** Ends an accepted offer whose reservation ended without a lease. */
export const expireOffer = (tx: Tx, companyId: number, offerId: number, at: Date) =>
  tx
    .updateTable('marketplace_offer')
    .set({ status: 'expired', decided_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', offerId)
    .execute();

/** Undefined: the company's listings have no such offer. */
export const offerById = (tx: Tx, companyId: number, offerId: number): Promise<Offer | undefined> =>
  tx
    .selectFrom('marketplace_offer')
    .select(offerColumns)
    .where('company_id', '=', companyId)
    .where('id', '=', offerId)
    .executeTakeFirst();

/** How many offers for a listing are open and haven't expired. */
export async function countOpenOffers(
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<number> {
  const { count } = await tx
    .selectFrom('marketplace_offer')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('marketplace_id', '=', id)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}
