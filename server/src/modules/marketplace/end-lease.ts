import { marketplace as contract, type Answer, type EventData, type numbers } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import {
  changeLease,
  giveUpNumber,
  leasedNumber,
  numberRecord,
  takeBackNumber,
} from '../numbers/index.ts';
import { switchCompany } from './switch-company.ts';
import { listingName, formatDay, mailLessee, mailLister } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { presentDetail, statusLabels } from './present.ts';
import { listerCompanyOf, lockListingRow, updateListingRow, type ListingRecord } from './store.ts';

// The system role: a buyer or lessee acts in the company of the listing, found by the listing’s
// ID.

/** Calendar months later: a lease from the 31st ends on the last day of a shorter month. */
export function leaseEndDate(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

const endReasons = { term: 'The term ended', lessee: 'The lessee returned the number' } as const;

/**
 * Ends a lease at its term, or because the lessee gave the number up; then `lesseeNumberId` is
 * the lessee's row. The number leaves the lessee and is the lister's again with its previous
 * settings, in this transaction. Its listing becomes a draft, or withdrawn if that was requested
 * during the lease. Call in the lister's company. Does nothing when the lease already ended.
 */
export async function endLease(
  t: TxCtx,
  id: number,
  reason: keyof typeof endReasons,
  lesseeNumberId?: number,
): Promise<void> {
  const row = await lockListingRow(t.tx, t.companyId, id);
  if (row?.status !== 'leased') return;
  const isOver = row.lease_ends_at !== null && row.lease_ends_at <= t.now;
  if (reason === 'term' && !isOver) return;
  if (!(await takeFromLessee(t, row, reason, lesseeNumberId))) return;
  const lessee = row.lessee_name ?? 'its lessee';
  if (row.number_id !== null) await restoreListerNumber(t, row.number_id, row.number, lessee);
  const status = row.withdraws_at_end ? 'withdrawn' : 'draft';
  await updateListingRow(t.tx, t.companyId, id, {
    status,
    ...(row.withdraws_at_end ? { withdrawn_at: t.now } : {}),
    withdraws_at_end: false,
    lessee_company_id: null,
    lessee_name: null,
    updated_at: t.now,
    lease_ends_at: null,
    lease_monthly_cents: null,
    lease_setup_cents: null,
    lease_term_months: null,
    lease_notice_at: null,
    lease_notified_days: null,
  });
  await audit(t, 'marketplace.lease_ended', `marketplace:${id}`, {
    before: { lessee: row.lessee_company_id },
    after: { because: reason },
  });
  const outcome =
    status === 'draft' ? 'the number is a draft again' : 'the number left the marketplace';
  await recordListingEvent(t, id, {
    kind: 'status',
    text: `The lease to ${lessee} ended. ${endReasons[reason]}; ${outcome}.`,
    status,
    by: reason === 'lessee' ? lessee : null,
  });
  await mailLeaseEnded(t, row, lessee, endReasons[reason]);
}

/** Releases the lessee's number. False: the lessee meanwhile has it by another lease. */
async function takeFromLessee(
  t: TxCtx,
  row: ListingRecord,
  reason: keyof typeof endReasons,
  lesseeNumberId: number | undefined,
): Promise<boolean> {
  if (row.lessee_company_id === null) return true;
  const lesseeCtx = await switchCompany(t, row.lessee_company_id);
  const leased = await leasedNumber(lesseeCtx.tx, lesseeCtx.companyId, row.id);
  // A late repeat of the event that the lessee returned it.
  const isOtherLease = lesseeNumberId !== undefined && leased?.id !== lesseeNumberId;
  if (leased && !isOtherLease)
    await giveUpNumber(lesseeCtx, leased, {
      reason: 'The lease ended',
      summary: `The lease ended: ${endReasons[reason].toLowerCase()}`,
    });
  await switchCompany(t, t.companyId);
  return !isOtherLease;
}

async function mailLeaseEnded(
  t: TxCtx,
  row: ListingRecord,
  lessee: string,
  reason: string,
): Promise<void> {
  const name = listingName(row);
  const isReturned = row.number_id !== null;
  await mailLister(t, row, `The lease of ${name} ended`, [
    `The lease of ${name} to ${lessee} ended. ${reason}.`,
    ...(isReturned ? ['The number is yours again, with its previous settings.'] : []),
  ]);
  if (row.lessee_company_id === null) return;
  await mailLessee(t, row, row.lessee_company_id, `Your lease of ${name} ended`, [
    `Your lease of ${name} ended. ${reason}.`,
    'Calls and texts to this number no longer reach you.',
  ]);
}

async function restoreListerNumber(
  t: TxCtx,
  numberId: number,
  number: string,
  from: string,
): Promise<void> {
  const own = await numberRecord(t.tx, t.companyId, numberId);
  if (own?.status !== 'released') return; // never passed on: leased by hand before leases were installed
  if (!(await takeBackNumber(t, { id: numberId, number }, `Returned: the lease to ${from} ended`)))
    t.log.error({ number }, 'a leased number was returned but belongs to another company');
}

/**
 * Records the lister's notice: the lease runs to the end of its term and can't be renewed. With
 * `withdraw` the listing then leaves the marketplace instead of becoming a draft. Giving notice
 * again changes nothing. Call with the leased listing locked.
 */
export async function giveNotice(
  t: TxCtx,
  row: ListingRecord,
  { withdraw = false } = {},
): Promise<void> {
  const first = row.lease_notice_at === null;
  if (!first && (row.withdraws_at_end || !withdraw)) return;
  await updateListingRow(t.tx, t.companyId, row.id, {
    lease_notice_at: row.lease_notice_at ?? t.now,
    ...(withdraw ? { withdraws_at_end: true } : {}),
    updated_at: t.now,
  });
  const ends =
    row.lease_ends_at === null ? 'at the end of its term' : `on ${formatDay(row.lease_ends_at)}`;
  await audit(t, 'marketplace.lease_notice', `marketplace:${row.id}`, { after: { withdraw } });
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: `Notice given: the lease won’t be renewed and ends ${ends}${withdraw ? '. Then the number leaves the marketplace' : ''}.`,
    status: 'leased',
  });
  if (!first || row.lessee_company_id === null) return;
  const lesseeCtx = await switchCompany(t, row.lessee_company_id);
  await changeLease(
    lesseeCtx,
    row.id,
    { lease_notice_at: t.now },
    `The owner gave notice: the lease ends ${ends}`,
  );
  await switchCompany(t, t.companyId);
  await mailLessee(
    t,
    row,
    row.lessee_company_id,
    `Your lease of ${listingName(row)} will not be renewed`,
    [
      `The owner of ${listingName(row)} has given notice. Your lease ends ${ends} and can’t be renewed.`,
      'The number keeps working until the lease ends.',
    ],
  );
}

/**
 * The lister's "end lease" is notice, because a lease binds both sides to its term.
 * `marketplace.not_now` unless it is leased.
 */
export async function endLeaseByNotice(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.endLease>> {
  const row = (await lockListingRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.status !== 'leased') fail('marketplace.not_now', { status: statusLabels[row.status] });
  await giveNotice(ctx, row);
  return { data: await presentDetail(ctx, id) };
}

/** Mails both companies that a lease ends in at most `days`, once. Call in the lister's company. */
export async function notifyLeaseEnding(t: TxCtx, id: number, days: number): Promise<void> {
  const row = await lockListingRow(t.tx, t.companyId, id);
  if (
    row?.status !== 'leased' ||
    row.lease_ends_at === null ||
    row.lessee_company_id === null ||
    (row.lease_notified_days ?? 999) <= days
  )
    return;
  await updateListingRow(t.tx, t.companyId, id, { lease_notified_days: days });
  const day = formatDay(row.lease_ends_at);
  await mailLister(t, row, `The lease of ${listingName(row)} ends ${day}`, [
    `The lease of ${listingName(row)} to ${row.lessee_name ?? 'its lessee'} ends ${day}.`,
    row.lease_notice_at === null
      ? 'The lessee can still renew it.'
      : 'You gave notice, so it won’t be renewed.',
  ]);
  await mailLessee(t, row, row.lessee_company_id, `Your lease of ${listingName(row)} ends ${day}`, [
    `Your lease of ${listingName(row)} ends ${day}. After that, its calls and texts no longer reach you.`,
    row.lease_notice_at === null
      ? 'To keep it, renew the lease on the number’s page.'
      : 'The owner has given notice, so it can’t be renewed.',
  ]);
}

/**
 * The lessee released the number and can no longer keep it: it returns to its lister, not to the
 * carrier.
 */
export async function returnLeasedNumber(
  t: TxCtx,
  event: EventData<typeof numbers.leasedNumberReturned>,
): Promise<void> {
  const lister = await listerCompanyOf(t.db.unscoped, event.listingId);
  if (lister === null) t.log.error({ number: event.number }, 'a leased number has no listing');
  else await endLease(await switchCompany(t, lister), event.listingId, 'lessee', event.numberId);
}
