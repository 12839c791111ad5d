import { formatPhone, isTollFree, marketplace as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { numberRecord } from '../store.ts';
import { endLease, endOfTerm } from './end-lease.ts';
import { noteItem } from './note-item.ts';
import { presentDetail, standing, word } from './present.ts';
import { insertItem, lockItem, slugTaken, updateItem, type ItemColumns, type ItemRecord } from './store.ts';

/** Put one of the company's own numbers on the marketplace, as a draft. */
export async function listOnMarketplace(ctx: TxCtx, body: Body<typeof contract.listOnMarketplace>): Promise<Answer<typeof contract.listOnMarketplace>> {
  const own = await numberRecord(ctx.tx, ctx.companyId, body.number_id);
  if (!own || own.status === 'released') missing();
  if (own.status !== 'active' && own.status !== 'parked') invalid({ number_id: 'Choose an active number.' });
  if (own.dni_pool_id !== null) refuse('number.in_pool');
  const category = isTollFree(own.number) ? 'toll_free' : 'local';
  const vanity = body.vanity_text || own.vanity_text;
  const words = [...new Set((vanity ?? '').toUpperCase().match(/[A-Z]{2,}/g) ?? [])];
  const id = await insertItem(ctx.tx, { company_id: ctx.companyId, number: own.number, number_id: own.id, category, area_code: own.area_code, region: own.region, vanity_text: vanity ?? null, words, legal_notice: contract.usualNotice(category), created_by: ctx.actor.userId || null, created_at: ctx.now, updated_at: ctx.now });
  if (id === null) refuse('marketplace.exists', { number: formatPhone(own.number) });
  await audit(ctx, 'marketplace.created', `marketplace:${id}`, { after: { number: own.number } });
  await noteItem(ctx, id, { kind: 'created', text: 'Put on the marketplace as a draft.', status: 'draft' });
  return { data: await presentDetail(ctx, id) };
}

/** Change price, texts, status. What is listed must be complete and worded as the rules for its kind of number say. */
export async function updateMarketplaceNumber(ctx: TxCtx, id: number, patch: contract.MarketplacePatch): Promise<Answer<typeof contract.updateMarketplaceNumber>> {
  const row = (await lockItem(ctx.tx, ctx.companyId, id)) ?? missing();
  const from = standing(row, ctx.now);
  const to = patch.status ?? from;
  if (from === 'withdrawn' || !contract.mayAskForStatus(from, to)) refuse('marketplace.not_now', { status: word[from] });
  const set = columnsOf(patch);
  const after: ItemRecord = { ...row, ...(set as Partial<ItemRecord>) };
  const errors: Record<string, string> = contract.isOnOffer(to) || to === 'reserved' ? contract.whatListingNeeds(after) : {};
  for (const field of ['description', 'vanity_text'] as const) {
    const broken = contract.whatWordingBreaks(after[field] ?? '', row.category);
    if (broken && (field in set || contract.isOnOffer(to))) errors[field] = broken;
  }
  if (patch.seo_slug && (await slugTaken(ctx.tx, ctx.companyId, id, patch.seo_slug))) errors['seo_slug'] = 'Another of your numbers has this address.';
  if (Object.keys(errors).length) invalid(errors);
  // Terms somebody is about to accept at the checkout are not changed under them.
  if (from === 'reserved' && to === 'reserved' && patch.pricing) refuse('marketplace.not_now', { status: word.reserved });

  // A lease ends before its listing can be withdrawn: the number must come back first.
  if (from === 'leased' && to === 'withdrawn') await endLease(ctx, id, 'lister');
  if (to !== row.status) Object.assign(set, { status: to, ...momentsOf(row, to, ctx.now) });
  const changed = Object.keys(set);
  if (changed.length === 0) return { data: await presentDetail(ctx, id) };
  await updateItem(ctx.tx, ctx.companyId, id, { ...set, updated_at: ctx.now });
  await audit(ctx, 'marketplace.changed', `marketplace:${id}`, { before: Object.fromEntries(changed.map((k) => [k, row[k as keyof ItemRecord]])), after: set });
  if (to !== from) await noteItem(ctx, id, { kind: 'status', text: statusSentence[to], status: to });
  else await noteItem(ctx, id, { kind: patch.pricing ? 'price' : 'texts', text: patch.pricing ? `Price: ${(after.monthly_cents / 100).toFixed(2)} a month, ${(after.setup_cents / 100).toFixed(2)} at the start.` : 'Texts were changed.', status: to });
  return { data: await presentDetail(ctx, id) };
}

const statusSentence: Readonly<Record<contract.MarketplaceStatus, string>> = { draft: 'Taken off the lists; a draft again.', listed: 'Listed.', under_offer: 'An offer is open.', reserved: 'Reserved.', leased: 'Leased.', withdrawn: 'Withdrawn.' };

function momentsOf(row: ItemRecord, to: contract.MarketplaceStatus, now: Date): ItemColumns {
  if (to === 'listed') return { listed_at: now, first_listed_at: row.first_listed_at ?? now, reserved_until: null, reserved_by_company_id: null };
  if (to === 'withdrawn') return { withdrawn_at: now, reserved_until: null, reserved_by_company_id: null };
  if (to === 'leased') return { leased_at: now, lessee_company_id: row.reserved_by_company_id, lease_monthly_cents: row.monthly_cents, lease_term_months: row.minimum_term_months, lease_ends_at: endOfTerm(now, row.minimum_term_months), reserved_until: null };
  return {};
}
function columnsOf({ status: _, pricing, exclusive_area, respOrg, companyId: __, company_id: ___, ...plain }: contract.MarketplacePatch): ItemColumns {
  const all = {
    ...plain, ...(plain.words ? { words: [...new Set(plain.words.map((w) => w.toUpperCase()).filter(Boolean))] } : {}), resp_org: respOrg, exclusive_states: exclusive_area?.states, exclusive_area_codes: exclusive_area?.area_codes,
    pricing_type: pricing?.type, monthly_cents: pricing?.monthly_cents, setup_cents: pricing?.setup_cents, minimum_term_months: pricing?.minimum_term_months, minimum_offer_cents: pricing?.minimum_offer_cents,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ItemColumns;
}
