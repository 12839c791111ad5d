import type { Answer, Body, caddy as contract } from '#contract';
import { storeRating } from '#contract/caddy/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { insertReview, reviewsOf, type ReviewRow } from './store-reviews.ts';

type Review = Answer<typeof contract.listCaddyReviews>['data'][number];

// What the contract's schema let in.
const present = (row: ReviewRow): Review => ({
  id: row.id,
  rating: row.rating,
  text: row.text,
  store: row.store as Review['store'],
  version: row.version,
  createdAt: row.created_at.toISOString(),
});

/** The account's reviews, newest first. */
export async function listReviews(t: TxCtx): Promise<Answer<typeof contract.listCaddyReviews>> {
  return { data: (await reviewsOf(t.tx, t.companyId)).map(present) };
}

/** Rates a version once. @throws ApiError `caddy.reviewed` */
export async function review(
  t: TxCtx,
  { rating, text, store, version }: Body<typeof contract.reviewCaddy>,
): Promise<Answer<typeof contract.reviewCaddy>> {
  const row =
    (await insertReview(t.tx, {
      ...{ company_id: t.companyId, rating, version, created_at: t.now },
      ...{ text: text || null, store: store ?? null },
    })) ?? fail('caddy.reviewed');
  return { data: { ...present(row), next: rating >= storeRating ? 'store' : 'support' } };
}
