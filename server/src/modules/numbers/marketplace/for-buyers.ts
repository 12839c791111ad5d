import { createHash } from 'node:crypto';
import { marketplace as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Http } from '../../../platform/answer.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { companyRow } from '../../companies/index.ts';
import { installNumber } from '../install-number.ts';
import { updateNumberRow } from '../store.ts';
import { endOfTerm } from './end-lease.ts';
import { inCompany } from './in-company.ts';
import { noteItem } from './note-item.ts';
import { passOn } from './pass-on.ts';
import { presentListing, presentOffer, standing, word } from './present.ts';
import { holdsNumber, insertInquiry, insertOffer, insertView, listerOf, lockItem, offerAccepted, readItem, updateItem, type ItemRecord } from './store.ts';

/** Buyers belong to other companies than the number: what they do is written in the lister's company, found by the directory. */
async function atLister<T>(ctx: Ctx, id: number, work: (t: TxCtx, row: ItemRecord) => Promise<T>): Promise<T> {
  const lister = (await listerOf(ctx.db.directory, id)) ?? missing();
  return inCompany(ctx, lister, async (t) => work(t, (await lockItem(t.tx, lister, id)) ?? missing()));
}

/** The public's view, while it is listed. */
export async function marketplacePublic(ctx: Ctx, id: number, http: Http): Promise<Answer<typeof contract.marketplacePublic>> {
  const lister = (await listerOf(ctx.db.directory, id)) ?? missing();
  return inCompany(ctx, lister, async (t) => {
    const row = (await readItem(t.tx, lister, id, t.now)) ?? missing();
    if (!contract.isOnOffer(standing(row, t.now))) return { data: [] };
    // The lister's own people are not the public.
    if (!ctx.actor.memberships.some((m) => m.companyId === lister)) {
      const who = ctx.actor.userId ? `user:${ctx.actor.userId}` : `${http.ip} ${http.request.headers['user-agent'] ?? ''}`;
      await insertView(t.tx, { company_id: lister, marketplace_id: id, day: t.now.toISOString().slice(0, 10), visitor: createHash('sha256').update(t.settings.appSecret).update(who).digest('base64url').slice(0, 22), at: t.now });
    }
    return { data: [presentListing(row, t.now)] };
  });
}

export async function inquireListing(ctx: Ctx, id: number, body: Body<typeof contract.inquireListing>): Promise<Answer<typeof contract.inquireListing>> {
  return atLister(ctx, id, async (t, row) => {
    if (!contract.isOnOffer(standing(row, t.now))) missing();
    const inquiry = await insertInquiry(t.tx, { company_id: t.companyId, marketplace_id: id, name: ctx.actor.name, email: ctx.actor.email, message: body.message, at: t.now });
    await noteItem(t, id, { kind: 'inquiry', text: `${ctx.actor.name} asked about it.`, status: row.status, by: ctx.actor.name });
    if (row.contact_email) await t.enqueue('numbers.mailInquiry', { marketplaceId: id, inquiryId: inquiry });
    return { data: { id: inquiry } };
  });
}

export async function makeOffer(ctx: Ctx, id: number, body: Body<typeof contract.makeOffer>): Promise<Answer<typeof contract.makeOffer>> {
  const buyer = await ctx.transaction(async (t) => (await companyRow(t.tx, t.companyId))!.name);
  return atLister(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) refuse('marketplace.own');
    if (!contract.isOnOffer(standing(row, t.now))) refuse('marketplace.not_now', { status: word[standing(row, t.now)] });
    if (row.minimum_offer_cents !== null && body.amount_cents < row.minimum_offer_cents) invalid({ amount_cents: 'This is less than the least that is accepted.' });
    const offer = await insertOffer(t.tx, { company_id: t.companyId, marketplace_id: id, buyer_company_id: ctx.companyId, buyer_name: buyer, buyer_email: ctx.actor.email, amount_cents: body.amount_cents, term_months: body.term_months, message: body.message, created_at: t.now, expires_at: new Date(t.now.getTime() + contract.offerDays * 86_400_000) });
    await updateItem(t.tx, t.companyId, id, { status: 'under_offer', reserved_until: null, reserved_by_company_id: null, updated_at: t.now });
    await noteItem(t, id, { kind: 'offer', text: `${buyer} offered ${(body.amount_cents / 100).toFixed(2)} a month for ${body.term_months} months.`, status: 'under_offer', by: buyer });
    return { data: presentOffer(offer, t.now) };
  });
}

/** The checkout: the row's lock decides between two buyers; whoever commits second is told. */
export async function reserveListing(ctx: Ctx, id: number): Promise<Answer<typeof contract.reserveListing>> {
  const buyer = await ctx.transaction(async (t) => (await companyRow(t.tx, t.companyId))!.name);
  return atLister(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) refuse('marketplace.own');
    const now = standing(row, t.now);
    const mine = now === 'reserved' && row.reserved_by_company_id === ctx.companyId;
    if (!mine && !contract.isOnOffer(now)) refuse('marketplace.taken');
    const until = mine ? new Date(row.reserved_until!) : new Date(t.now.getTime() + contract.reserveMinutes * 60_000);
    if (!mine) {
      await updateItem(t.tx, t.companyId, id, { status: 'reserved', reserved_until: until, reserved_by_company_id: ctx.companyId, updated_at: t.now });
      await noteItem(t, id, { kind: 'status', text: `${buyer} is at the checkout until ${until.toISOString().slice(11, 16)} UTC.`, status: 'reserved', by: buyer });
    }
    const agreed = await offerAccepted(t.tx, t.companyId, id, ctx.companyId);
    return { data: { reserved_until: until.toISOString(), listing: presentListing({ ...row, ...(agreed ? { monthly_cents: agreed.amount_cents, minimum_term_months: agreed.term_months } : {}) }, t.now) } };
  });
}

/** The checkout ends: leased to the company that reserved it. Its number is installed there by a job. */
export async function leaseListing(ctx: Ctx, id: number, body: Body<typeof contract.leaseListing>): Promise<Answer<typeof contract.leaseListing>> {
  const buyer = await ctx.transaction(async (t) => (await companyRow(t.tx, t.companyId))!.name);
  return atLister(ctx, id, async (t, row) => {
    if (t.companyId === ctx.companyId) refuse('marketplace.own');
    if (standing(row, t.now) !== 'reserved' || row.reserved_by_company_id !== ctx.companyId) refuse('marketplace.taken');
    const agreed = await offerAccepted(t.tx, t.companyId, id, ctx.companyId);
    const least = agreed?.term_months ?? row.minimum_term_months;
    if (body.term_months < least) invalid({ term_months: `At least ${least} months.` });
    const monthly = agreed?.amount_cents ?? row.monthly_cents;
    await updateItem(t.tx, t.companyId, id, { status: 'leased', leased_at: t.now, lessee_company_id: ctx.companyId, lessee_name: buyer, lease_monthly_cents: monthly, lease_term_months: body.term_months, lease_ends_at: endOfTerm(t.now, body.term_months), reserved_until: null, reserved_by_company_id: null, updated_at: t.now });
    if (row.number_id !== null) await passOn(t, row.number_id);
    await audit(t, 'marketplace.leased', `marketplace:${id}`, { after: { lessee: ctx.companyId, monthly_cents: monthly, term_months: body.term_months } });
    await noteItem(t, id, { kind: 'status', text: `Leased to ${buyer} for ${body.term_months} months.`, status: 'leased', by: buyer });
    await t.enqueue('numbers.installLeased', { companyId: ctx.companyId, number: row.number, label: row.vanity_text ?? '', listingId: id, endsAt: endOfTerm(t.now, body.term_months).toISOString() });
    return { data: { number: row.number, monthly_cents: monthly, term_months: body.term_months } };
  });
}

/** Runs in the lessee's company, once the lister's transaction has let go of the number. Twice is once: it is ours already. */
export async function installLeased(ctx: Ctx, { number, label, listingId, endsAt }: { number: string; label: string; listingId: number; endsAt: string }): Promise<void> {
  await ctx.transaction(async (t) => {
    if (await holdsNumber(t.tx, t.companyId, number)) return;
    const id = await installNumber(t, { number, label });
    await updateNumberRow(t.tx, t.companyId, id, { lease_listing_id: listingId, lease_ends_at: new Date(endsAt) });
  });
}
