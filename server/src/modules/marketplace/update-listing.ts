import {
  formatMoney,
  formatPhone,
  isTollFree,
  marketplace as contract,
  type Answer,
  type Body,
} from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { numberRecord } from '../numbers/index.ts';
import { giveNotice } from './end-lease.ts';
import { listingName, mailBuyer } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { canChangeStatus, presentDetail, statusLabels } from './present.ts';
import {
  declineOpenOffers,
  freeReservation,
  lockListing,
  clearedReservation,
} from './reservation.ts';
import {
  insertListing,
  isSlugTaken,
  updateListingRow,
  type ListingColumns,
  type ListingRecord,
} from './store.ts';
import { offerById } from './store-offers.ts';
import { transferNumber, offerProblem } from './transfer-number.ts';

/**
 * Adds one of the company's own numbers to the marketplace, as a draft. Fails with
 * `marketplace.exists`, `marketplace.leased_to_you`, `number.in_pool`, or 422 when it isn't in use.
 */
export async function listOnMarketplace(
  ctx: TxCtx,
  body: Body<typeof contract.listOnMarketplace>,
): Promise<Answer<typeof contract.listOnMarketplace>> {
  const own = await numberRecord(ctx.tx, ctx.companyId, body.number_id);
  if (!own || own.status === 'released') notFound();
  const problem = offerProblem(own);
  if (problem === 'leased') fail('marketplace.leased_to_you', { number: formatPhone(own.number) });
  if (problem === 'in_pool') fail('number.in_pool');
  if (problem === 'inactive') invalid({ number_id: 'Choose an active number.' });
  const category = isTollFree(own.number) ? 'toll_free' : 'local';
  const vanity = body.vanity_text || own.vanity_text;
  const words = [...new Set((vanity ?? '').toUpperCase().match(/[A-Z]{2,}/g) ?? [])];
  const id = await insertListing(ctx.tx, {
    company_id: ctx.companyId,
    number: own.number,
    number_id: own.id,
    category,
    area_code: own.area_code,
    region: own.region,
    vanity_text: vanity ?? null,
    words,
    legal_notice: contract.defaultNotice(category),
    created_by: ctx.actor.userId || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  if (id === null) fail('marketplace.exists', { number: formatPhone(own.number) });
  await audit(ctx, 'marketplace.created', `marketplace:${id}`, { after: { number: own.number } });
  await recordListingEvent(ctx, id, {
    kind: 'created',
    text: 'Added to the marketplace as a draft.',
    status: 'draft',
  });
  return { data: await presentDetail(ctx, id) };
}

/**
 * Changes price, texts and status. A listed number must be complete, and worded as the rules for its
 * kind of number require (422). Fails with `marketplace.not_now` when its status doesn't allow it.
 */
export async function updateMarketplaceNumber(
  ctx: TxCtx,
  id: number,
  patch: contract.MarketplacePatch,
): Promise<Answer<typeof contract.updateMarketplaceNumber>> {
  const row = (await lockListing(ctx, id)) ?? notFound();
  const from = row.status;
  const to = patch.status ?? from;
  const isWithdrawnAtEnd = from === 'leased' && to === 'withdrawn';
  const isAllowed = to === from || isWithdrawnAtEnd || canChangeStatus(row, from, to);
  if (from === 'withdrawn' || !isAllowed)
    fail('marketplace.not_now', { status: statusLabels[from] });
  const set = listingColumnsOf(patch);
  const errors = await problemsOf(ctx, row, set, to);
  if (Object.keys(errors).length) invalid(errors);
  // The buyer at the checkout is about to accept these terms.
  if (from === 'reserved' && to === 'reserved' && patch.pricing)
    fail('marketplace.not_now', { status: statusLabels.reserved });

  // A lease binds both sides: the listing is withdrawn when it ends.
  if (isWithdrawnAtEnd) await giveNotice(ctx, row, { withdraw: true });
  else if (from === 'reserved' && to === 'leased') await leaseByAcceptedOffer(ctx, row);
  else if (to !== from) Object.assign(set, await statusChange(ctx, row, to));
  if (Object.keys(set).length) await writeChange(ctx, row, set, patch);
  return { data: await presentDetail(ctx, id) };
}

/** Field → what is wrong with the listing after this change. Empty: nothing. */
async function problemsOf(
  ctx: TxCtx,
  row: ListingRecord,
  set: ListingColumns,
  to: contract.MarketplaceStatus,
): Promise<Record<string, string>> {
  const after = { ...row, ...set };
  const errors: Record<string, string> =
    contract.isAvailable(to) || to === 'reserved' ? contract.listingProblems(after) : {};
  for (const field of ['description', 'vanity_text'] as const) {
    const problem = contract.wordingProblem(after[field] ?? '', row.category);
    if (problem && (field in set || contract.isAvailable(to))) errors[field] = problem;
  }
  if (set.seo_slug && (await isSlugTaken(ctx.tx, ctx.companyId, row.id, set.seo_slug)))
    errors['seo_slug'] = 'Another of your listings uses this address.';
  if (to === 'listed' && row.status !== to && row.number_id !== null) {
    const own = await numberRecord(ctx.tx, ctx.companyId, row.number_id);
    if (!own || offerProblem(own))
      errors['status'] = 'This number isn’t in use. Only an active number can be listed.';
  }
  return errors;
}

/** Ends what the old status held, and returns the columns of the new one. */
async function statusChange(
  ctx: TxCtx,
  row: ListingRecord,
  to: contract.MarketplaceStatus,
): Promise<ListingColumns> {
  const wasReserved = row.status === 'reserved';
  const current = wasReserved ? await cancelReservation(ctx, row) : row;
  if (to === 'draft' || to === 'withdrawn') await declineOpenOffers(ctx, current);
  // Listed again with offers still open, it is under offer.
  const status = wasReserved && to === 'listed' ? current.status : to;
  return { ...timestampsOf(current, to, ctx.now), status };
}

async function writeChange(
  ctx: TxCtx,
  row: ListingRecord,
  set: ListingColumns,
  patch: contract.MarketplacePatch,
): Promise<void> {
  await updateListingRow(ctx.tx, ctx.companyId, row.id, { ...set, updated_at: ctx.now });
  const changed = Object.keys(set) as (keyof ListingColumns)[];
  await audit(ctx, 'marketplace.changed', `marketplace:${row.id}`, {
    before: Object.fromEntries(changed.map((column) => [column, row[column]])),
    after: set,
  });
  const after = { ...row, ...set };
  const prices = `${formatMoney(after.monthly_cents)} a month, ${formatMoney(after.setup_cents)} setup fee`;
  if (set.status && patch.status)
    await recordListingEvent(ctx, row.id, {
      kind: 'status',
      text: statusSentence[patch.status],
      status: patch.status,
    });
  else
    await recordListingEvent(ctx, row.id, {
      kind: patch.pricing ? 'price' : 'texts',
      text: patch.pricing ? `Price: ${prices}.` : 'The listing text was changed.',
      status: row.status,
    });
}

const statusSentence: Readonly<Record<contract.MarketplaceStatus, string>> = {
  draft: 'Unlisted; now a draft again.',
  listed: 'Listed.',
  under_offer: 'Received an offer.',
  reserved: 'Reserved.',
  leased: 'Leased.',
  withdrawn: 'Withdrawn.',
};

/** The lister carries out the accepted offer: its buyer agreed to price and term by making it. */
async function leaseByAcceptedOffer(ctx: TxCtx, row: ListingRecord): Promise<void> {
  const offer =
    (row.reserved_offer_id === null
      ? undefined
      : await offerById(ctx.tx, ctx.companyId, row.reserved_offer_id)) ?? notFound();
  await transferNumber(
    ctx,
    row,
    { companyId: offer.buyer_company_id, name: offer.buyer_name, byLister: true },
    offer.term_months,
  );
}

/** Ends a reservation early. If it came with an accepted offer, its buyer gets a mail. */
async function cancelReservation(ctx: TxCtx, row: ListingRecord): Promise<ListingRecord> {
  const offer =
    row.reserved_offer_id === null
      ? undefined
      : await offerById(ctx.tx, ctx.companyId, row.reserved_offer_id);
  const free = await freeReservation(ctx, row);
  if (offer)
    await mailBuyer(
      ctx,
      row,
      { to: offer.buyer_email, companyId: offer.buyer_company_id },
      `${listingName(row)} is no longer reserved for you`,
      [
        `The owner of ${listingName(row)} withdrew the reservation that came with your accepted offer.`,
      ],
    );
  return free;
}

function timestampsOf(
  row: ListingRecord,
  to: contract.MarketplaceStatus,
  now: Date,
): ListingColumns {
  if (to === 'listed')
    return { listed_at: now, first_listed_at: row.first_listed_at ?? now, ...clearedReservation };
  if (to === 'withdrawn') return { withdrawn_at: now, ...clearedReservation };
  return {};
}
function listingColumnsOf({
  status: _,
  pricing,
  exclusive_area,
  respOrg,
  companyId: __,
  company_id: ___,
  ...plain
}: contract.MarketplacePatch): ListingColumns {
  const all = {
    ...plain,
    ...(plain.words
      ? { words: [...new Set(plain.words.map((w) => w.toUpperCase()).filter(Boolean))] }
      : {}),
    resp_org: respOrg,
    exclusive_states: exclusive_area?.states,
    exclusive_area_codes: exclusive_area?.area_codes,
    pricing_type: pricing?.type,
    monthly_cents: pricing?.monthly_cents,
    setup_cents: pricing?.setup_cents,
    minimum_term_months: pricing?.minimum_term_months,
    minimum_offer_cents: pricing?.minimum_offer_cents,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as ListingColumns;
}
