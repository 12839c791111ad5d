import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type ReviewRow = Selectable<Tables['caddy_review']>;

/** An account's reviews, newest first. */
export const reviewsOf = (tx: Tx, companyId: number): Promise<ReviewRow[]> =>
  tx
    .selectFrom('caddy_review')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();

/** Stores a review; undefined: this version was rated before. */
export const insertReview = (
  tx: Tx,
  row: Insertable<Tables['caddy_review']>,
): Promise<ReviewRow | undefined> =>
  tx
    .insertInto('caddy_review')
    .values(row)
    .onConflict((c) => c.columns(['company_id', 'version']).doNothing())
    .returningAll()
    .executeTakeFirst();
