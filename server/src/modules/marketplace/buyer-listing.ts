import { createHash } from 'node:crypto';
import { formatMoney, marketplace as contract, type Answer, type Body } from '#contract';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { companyRow } from '../companies/index.ts';
import { numberRecord, requireNumberRoom } from '../numbers/index.ts';
import { inCompany } from './switch-company.ts';
import { listingName, formatDay, mailLister } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { presentListing, presentOffer, effectiveStatus, statusLabels } from './present.ts';
import { lockListing } from './reservation.ts';
import {
  insertInquiry,
  insertView,
  listerCompanyOf,
  readListing,
  updateListingRow,
  type ListingRecord,
} from './store.ts';
import { insertOffer } from './store-offers.ts';
import { agreedTerms, offerProblem, transferNumber } from './transfer-number.ts';

// The system role: a buyer or lessee acts in the company of the listing, found by the listing’s
// ID.

/**
 * Runs a buyer's action in the lister's company with the listing locked. Fails with 404 when there
 * is no such listing.
 */
async function inListerCompany<T>(
  ctx: Ctx,
  id: number,
  work: (t: TxCtx, row: ListingRecord) => Promise<T>,
): Promise<T> {
  const lister = (await listerCompanyOf(ctx.db.unscoped, id)) ?? notFound();
  return inCompany(ctx, lister, async (t) => work(t, (await lockListing(t, id)) ?? notFound()));
}

/** The name of the caller's own company, which its listings and mails to others show. */
const companyName = (ctx: Ctx): Promise<string> =>
  ctx.transaction(async (t) => ((await companyRow(t.tx, t.companyId)) ?? notFound()).name);

/**
 * A listing as anyone sees it, as a list of one; empty while it isn't available. Counts the view.
 * `not_found` when it never existed.
 */
export async function marketplacePublic(
  ctx: Ctx,
  id: number,
  http: Http,
): Promise<Answer<typeof contract.marketplacePublic>> {
  const lister = (await listerCompanyOf(ctx.db.unscoped, id)) ?? notFound();
  return inCompany(ctx, lister, async (t) => {
    const row = (await readListing(t.tx, lister, id, t.now)) ?? notFound();
    const isMine = (companyId: number | null) =>
      ctx.actor.memberships.some((one) => one.companyId === companyId);
    // The company it is reserved for still sees it, at the agreed price.
    if (effectiveStatus(row, t.now) === 'reserved' && isMine(row.reserved_by_company_id))
      return { data: [presentListing({ ...row, ...(await agreedTerms(t, row)) }, t.now)] };
    if (!contract.isAvailable(effectiveStatus(row, t.now))) return { data: [] };
    // Views by the lister's own people don't count.
    if (!isMine(lister)) {
      const who = ctx.actor.userId
        ? `user:${ctx.actor.userId}`
        : `${http.ip} ${http.request.headers['user-agent'] ?? ''}`;
      await insertView(t.tx, {
        company_id: lister,
        marketplace_id: id,
        day: t.now.toISOString().slice(0, 10),
        visitor: createHash('sha256')
          .update(t.settings.appSecret)
          .update(who)
          .digest('base64url')
          .slice(0, 22),
        at: t.now,
      });
    }
    return { data: [presentListing(row, t.now)] };
  });
}

/** Stores a question about an available listing and mails it to the lister. */
export async function sendInquiry(
  ctx: Ctx,
  id: number,
  body: Body<typeof contract.inquireListing>,
): Promise<Answer<typeof contract.inquireListing>> {
  return inListerCompany(ctx, id, async (t, row) => {
    if (row.status === 'reserved') fail('marketplace.not_now', { status: statusLabels.reserved });
    if (!contract.isAvailable(row.status)) notFound();
    const inquiry = await insertInquiry(t.tx, {
      company_id: t.companyId,
      marketplace_id: id,
      name: ctx.actor.name,
      email: ctx.actor.email,
      message: body.message,
      at: t.now,
    });
    await recordListingEvent(t, id, {
      kind: 'inquiry',
      text: `${ctx.actor.name} sent a question.`,
      status: row.status,
      by: ctx.actor.name,
    });
    await mailLister(t, row, `Question about ${listingName(row)}`, [
      `${ctx.actor.name} (${ctx.actor.email}) asks about ${listingName(row)}:`,
      body.message,
    ]);
    return { data: { id: inquiry } };
  });
}

/**
 * Offers a monthly price and a term for an available listing.
 * Fails with `marketplace.own`, `marketplace.not_now`, `marketplace.fixed_price`, or 422.
 */
export async function makeOffer(
  ctx: Ctx,
  id: number,
  body: Body<typeof contract.makeOffer>,
): Promise<Answer<typeof contract.makeOffer>> {
  const buyer = await companyName(ctx);
  return inListerCompany(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) fail('marketplace.own');
    if (!contract.isAvailable(row.status))
      fail('marketplace.not_now', { status: statusLabels[row.status] });
    if (row.pricing_type === 'assignment') fail('marketplace.fixed_price');
    if (body.term_months < row.minimum_term_months)
      invalid({
        term_months: `Offer at least ${contract.monthsInWords(row.minimum_term_months)}.`,
      });
    if (row.minimum_offer_cents !== null && body.amount_cents < row.minimum_offer_cents)
      invalid({ amount_cents: 'This is below the lowest offer the owner accepts.' });
    const offer = await insertOffer(t.tx, {
      company_id: t.companyId,
      marketplace_id: id,
      buyer_company_id: ctx.companyId,
      buyer_name: buyer,
      buyer_email: ctx.actor.email,
      amount_cents: body.amount_cents,
      term_months: body.term_months,
      message: body.message,
      created_at: t.now,
      expires_at: new Date(t.now.getTime() + contract.offerDays * 86_400_000),
    });
    const what = `${formatMoney(body.amount_cents)} a month for ${contract.monthsInWords(body.term_months)}`;
    await updateListingRow(t.tx, t.companyId, id, { status: 'under_offer', updated_at: t.now });
    await recordListingEvent(t, id, {
      kind: 'offer',
      text: `${buyer} offered ${what}.`,
      status: 'under_offer',
      by: buyer,
    });
    await mailLister(t, row, `Offer for ${listingName(row)}`, [
      `${buyer} offers ${what} for ${listingName(row)}.`,
      ...(body.message ? [body.message] : []),
      `Accept or decline it by ${formatDay(offer.expires_at)}.`,
    ]);
    return { data: presentOffer(offer, t.now) };
  });
}

/**
 * Reserves a listing for the checkout. The row's lock decides between two buyers; the second one
 * fails with `marketplace.taken`. Asking again returns the same reservation.
 */
export async function reserveListing(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.reserveListing>> {
  const buyer = await companyName(ctx);
  return inListerCompany(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) fail('marketplace.own');
    const listing = presentListing({ ...row, ...(await agreedTerms(t, row)) }, t.now);
    const isMine = row.status === 'reserved' && row.reserved_by_company_id === ctx.companyId;
    if (isMine && row.reserved_until)
      return { data: { reserved_until: row.reserved_until.toISOString(), listing } };
    if (!contract.isAvailable(row.status)) fail('marketplace.taken');
    if (row.pricing_type === 'make_offer') fail('marketplace.offer_needed');
    if (!(await canBeTaken(t, row))) fail('marketplace.taken');
    const until = new Date(t.now.getTime() + contract.reserveMinutes * 60_000);
    await startReservation(t, row, { companyId: ctx.companyId, name: buyer }, until);
    return { data: { reserved_until: until.toISOString(), listing } };
  });
}

async function startReservation(
  t: TxCtx,
  row: ListingRecord,
  buyer: { companyId: number; name: string },
  until: Date,
): Promise<void> {
  await updateListingRow(t.tx, t.companyId, row.id, {
    status: 'reserved',
    reserved_until: until,
    reserved_by_company_id: buyer.companyId,
    reserved_offer_id: null,
    updated_at: t.now,
  });
  const at = `${until.toISOString().slice(11, 16)} UTC`;
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: `${buyer.name} is at checkout until ${at}.`,
    status: 'reserved',
    by: buyer.name,
  });
  const name = listingName(row);
  await mailLister(t, row, `${name} is reserved`, [
    `${buyer.name} is at checkout with ${name}. The number is reserved for them until ${at}.`,
  ]);
}

/**
 * False: the lister's own number is being released or was given up, and the listing doesn't show it
 * yet.
 */
async function canBeTaken(t: TxCtx, row: ListingRecord): Promise<boolean> {
  if (row.number_id === null) return true;
  const own = await numberRecord(t.tx, t.companyId, row.number_id);
  return own !== undefined && offerProblem(own) === null;
}

/**
 * Completes the checkout: the number becomes one of the company's that reserved it. Fails with
 * `marketplace.taken` when it isn't reserved for them, or `marketplace.offer_needed`.
 */
export async function leaseListing(
  ctx: Ctx,
  id: number,
  body: Body<typeof contract.leaseListing>,
): Promise<Answer<typeof contract.leaseListing>> {
  const buyer = await companyName(ctx);
  await ctx.transaction((t) => requireNumberRoom(t, [2]));
  return inListerCompany(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) fail('marketplace.own');
    if (
      row.pricing_type === 'make_offer' &&
      row.reserved_offer_id === null &&
      row.status !== 'leased'
    )
      fail('marketplace.offer_needed');
    if (row.status !== 'reserved' || row.reserved_by_company_id !== ctx.companyId)
      fail('marketplace.taken');
    const least = (await agreedTerms(t, row)).minimum_term_months;
    const months = body.term_months ?? least;
    if (months < least && row.pricing_type !== 'assignment')
      invalid({ term_months: `Choose at least ${contract.monthsInWords(least)}.` });
    const taken = await transferNumber(t, row, { companyId: ctx.companyId, name: buyer }, months);
    return { data: { ...taken, ends_at: taken.ends_at?.toISOString() ?? null } };
  });
}
