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
  offerById,
  isSlugTaken,
  updateListingRow,
  type ListingColumns,
  type ListingRecord,
} from './store.ts';
import { transferNumber, offerProblem } from './transfer-number.ts';

/** Put one of the company's own numbers on the marketplace, as a draft. */
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

/** Change price, texts, status. What is listed must be complete and worded as the rules for its kind of number say. */
export async function updateMarketplaceNumber(
  ctx: TxCtx,
  id: number,
  patch: contract.MarketplacePatch,
): Promise<Answer<typeof contract.updateMarketplaceNumber>> {
  let row = (await lockListing(ctx, id)) ?? notFound();
  const from = row.status;
  const to = patch.status ?? from;
  if (
    from === 'withdrawn' ||
    (to !== from && !canChangeStatus(row, from, to) && !(from === 'leased' && to === 'withdrawn'))
  )
    fail('marketplace.not_now', { status: statusLabels[from] });
  const set = listingColumnsOf(patch);
  const after: ListingRecord = { ...row, ...(set as Partial<ListingRecord>) };
  const errors: Record<string, string> =
    contract.isAvailable(to) || to === 'reserved' ? contract.listingProblems(after) : {};
  for (const field of ['description', 'vanity_text'] as const) {
    const broken = contract.wordingProblem(after[field] ?? '', row.category);
    if (broken && (field in set || contract.isAvailable(to))) errors[field] = broken;
  }
  if (patch.seo_slug && (await isSlugTaken(ctx.tx, ctx.companyId, id, patch.seo_slug)))
    errors['seo_slug'] = 'Another of your listings uses this address.';
  if (to === 'listed' && from !== to && row.number_id !== null) {
    const own = await numberRecord(ctx.tx, ctx.companyId, row.number_id);
    if (!own || offerProblem(own))
      errors['status'] = 'This number isn’t in use. Only an active number can be listed.';
  }
  if (Object.keys(errors).length) invalid(errors);
  // Terms somebody is about to accept at the checkout are not changed under them.
  if (from === 'reserved' && to === 'reserved' && patch.pricing)
    fail('marketplace.not_now', { status: statusLabels.reserved });

  // A lease binds both sides: the listing is withdrawn when it ends.
  if (from === 'leased' && to === 'withdrawn') await giveNotice(ctx, row, { withdraw: true });
  else if (from === 'reserved' && to === 'leased') await leaseByAcceptedOffer(ctx, row);
  else if (to !== from) {
    if (from === 'reserved') row = await cancelReservation(ctx, row);
    if (to === 'draft' || to === 'withdrawn') await declineOpenOffers(ctx, row);
    // Back on the lists with offers still open, it is under offer.
    Object.assign(set, {
      ...timestampsOf(row, to, ctx.now),
      status: from === 'reserved' && to === 'listed' ? row.status : to,
    });
  }
  const changed = Object.keys(set);
  if (changed.length === 0) return { data: await presentDetail(ctx, id) };
  await updateListingRow(ctx.tx, ctx.companyId, id, { ...set, updated_at: ctx.now });
  await audit(ctx, 'marketplace.changed', `marketplace:${id}`, {
    before: Object.fromEntries(changed.map((k) => [k, row[k as keyof ListingRecord]])),
    after: set,
  });
  if (set.status)
    await recordListingEvent(ctx, id, { kind: 'status', text: statusSentence[to], status: to });
  else
    await recordListingEvent(ctx, id, {
      kind: patch.pricing ? 'price' : 'texts',
      text: patch.pricing
        ? `Price: ${formatMoney(after.monthly_cents)} a month, ${formatMoney(after.setup_cents)} setup fee.`
        : 'The listing text was changed.',
      status: from,
    });
  return { data: await presentDetail(ctx, id) };
}

const statusSentence: Readonly<Record<contract.MarketplaceStatus, string>> = {
  draft: 'Unlisted; now a draft again.',
  listed: 'Listed.',
  under_offer: 'Received an offer.',
  reserved: 'Reserved.',
  leased: 'Leased.',
  withdrawn: 'Withdrawn.',
};

/** The accepted offer is carried out by the lister: its buyer agreed to the price and the term when they made it. */
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

/** A reservation is taken back; whoever had an offer accepted hears of it. */
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
