import { formatPhone, marketplace as contract, numbers, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { claimAgain, numberRecord, unclaimNumber, updateNumberRow } from '../store.ts';
import { noteNumberEvent } from '../timeline/note-event.ts';
import { actingIn } from './in-company.ts';
import { noteItem } from './note-item.ts';
import { presentDetail, word } from './present.ts';
import { heldBy, listerOf, lockItem, updateItem } from './store.ts';

/** Months of the calendar: a lease of the 31st ends on the last day of a shorter month. */
export function endOfTerm(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

const because = { term: 'Its term is over', lister: 'Its lister ended it', lessee: 'Given back' } as const;

/**
 * A lease ends: at its term (the clock), by its lister, or because the lessee gave the number up. The number leaves the lessee
 * and is the lister's again, with the settings it had; its listing is a draft. Twice is once. Call in the lister's company.
 */
export async function endLease(t: TxCtx, id: number, why: keyof typeof because): Promise<void> {
  const row = await lockItem(t.tx, t.companyId, id);
  if (row?.status !== 'leased' || (why === 'term' && (row.lease_ends_at === null || new Date(row.lease_ends_at) > t.now))) return;
  const by = row.lessee_name ?? 'its lessee';
  if (row.lessee_company_id !== null) {
    const there = await actingIn(t, row.lessee_company_id);
    const held = await heldBy(there.tx, there.companyId, id);
    if (held) {
      await updateNumberRow(there.tx, there.companyId, held.id, { status: 'released', released_at: t.now, lease_ends_at: null, release_reason: 'The lease ended', returns_at: null, updated_at: t.now });
      await unclaimNumber(there.tx, row.number, held.id);
      await noteNumberEvent(there, held.id, { type: 'released', summary: `The lease ended: ${because[why].toLowerCase()}` });
      await there.say(numbers.numberReleased, { companyId: there.companyId, numberId: held.id, number: row.number }, { numberId: held.id });
    }
    await actingIn(t, t.companyId);
  }
  if (row.number_id !== null) await takeBack(t, row.number_id, row.number, by);
  await updateItem(t.tx, t.companyId, id, { status: 'draft', lessee_company_id: null, lessee_name: null, lease_ends_at: null, lease_monthly_cents: null, lease_term_months: null, updated_at: t.now });
  await audit(t, 'marketplace.lease_ended', `marketplace:${id}`, { before: { lessee: row.lessee_company_id }, after: { because: why } });
  await noteItem(t, id, { kind: 'status', text: `The lease to ${by} ended. ${because[why]}; the number is a draft here again.`, status: 'draft', ...(why === 'lister' ? {} : { by: why === 'lessee' ? by : null }) });
}

async function takeBack(t: TxCtx, numberId: number, number: string, from: string): Promise<void> {
  const own = await numberRecord(t.tx, t.companyId, numberId);
  if (own?.status !== 'released') return; // never passed on: leased by hand
  if (!(await claimAgain(t.tx, number, numberId, t.now))) return void t.log.error({ number }, 'a leased number came back and belongs to somebody else');
  await updateNumberRow(t.tx, t.companyId, numberId, { status: 'active', released_at: null, release_reason: null, updated_at: t.now });
  await noteNumberEvent(t, numberId, { type: 'kept', summary: `Came back: the lease to ${from} ended` });
  await t.say(numbers.numberKept, { companyId: t.companyId, numberId, number }, { numberId });
}

/** The lister ends a lease before its term. */
export async function endLeaseNow(ctx: TxCtx, id: number): Promise<Answer<typeof contract.endLease>> {
  const row = (await lockItem(ctx.tx, ctx.companyId, id)) ?? missing();
  if (row.status !== 'leased') refuse('marketplace.not_now', { status: word[row.status] });
  await endLease(ctx, id, 'lister');
  return { data: await presentDetail(ctx, id) };
}

/** The lessee gave the number up and its time to change that is over: it goes to whoever listed it, not to the carrier. */
export async function giveBackLeased(ctx: Ctx, listingId: number, number: string): Promise<void> {
  const lister = await listerOf(ctx.db.directory, listingId);
  if (lister === null) return void ctx.log.error({ number: formatPhone(number) }, 'a leased number has no listing any more');
  await ctx.transaction(async (t) => endLease(await actingIn(t, lister), listingId, 'lessee'));
}
