import { formatPhone, marketplace as contract, numbers, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { reclaimNumber, numberRecord, unclaimNumber, updateNumberRow } from '../store.ts';
import { recordNumberEvent } from '../timeline/record-event.ts';
import { switchCompany } from './switch-company.ts';
import { listingName, formatDay, mailLessee, mailLister } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { presentDetail, statusLabels } from './present.ts';
import {
  leasedNumberOf,
  listerCompanyOf,
  lockListingRow,
  updateListingRow,
  type ListingRecord,
} from './store.ts';

/** Months of the calendar: a lease of the 31st ends on the last day of a shorter month. */
export function leaseEndDate(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end;
}

const endReasons = { term: 'The term ended', lessee: 'The lessee returned the number' } as const;

/**
 * A lease ends: at its term (the clock), or because the lessee gave the number up. The number leaves the lessee and is the
 * lister's again, with the settings it had; its listing is a draft, or withdrawn when that was asked for meanwhile. Twice is
 * once. Call in the lister's company.
 */
export async function endLease(
  t: TxCtx,
  id: number,
  reason: keyof typeof endReasons,
): Promise<void> {
  const row = await lockListingRow(t.tx, t.companyId, id);
  if (
    row?.status !== 'leased' ||
    (reason === 'term' && (row.lease_ends_at === null || new Date(row.lease_ends_at) > t.now))
  )
    return;
  const by = row.lessee_name ?? 'its lessee';
  if (row.lessee_company_id !== null) {
    const lesseeCtx = await switchCompany(t, row.lessee_company_id);
    const leased = await leasedNumberOf(lesseeCtx.tx, lesseeCtx.companyId, id);
    if (leased) {
      await updateNumberRow(lesseeCtx.tx, lesseeCtx.companyId, leased.id, {
        status: 'released',
        released_at: t.now,
        lease_ends_at: null,
        lease_notice_at: null,
        release_reason: 'The lease ended',
        returns_at: null,
        updated_at: t.now,
      });
      await unclaimNumber(lesseeCtx.tx, row.number, leased.id);
      await recordNumberEvent(lesseeCtx, leased.id, {
        type: 'released',
        summary: `The lease ended: ${endReasons[reason].toLowerCase()}`,
      });
      await lesseeCtx.publish(
        numbers.numberReleased,
        { companyId: lesseeCtx.companyId, numberId: leased.id, number: row.number },
        { numberId: leased.id },
      );
    }
    await switchCompany(t, t.companyId);
  }
  if (row.number_id !== null) await restoreListerNumber(t, row.number_id, row.number, by);
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
  const now =
    status === 'draft' ? 'the number is a draft again' : 'the number left the marketplace';
  await recordListingEvent(t, id, {
    kind: 'status',
    text: `The lease to ${by} ended. ${endReasons[reason]}; ${now}.`,
    status,
    by: reason === 'lessee' ? by : null,
  });
  await mailLister(
    t,
    row,
    `The lease of ${listingName(row)} ended`,
    [
      `The lease of ${listingName(row)} to ${by} ended. ${endReasons[reason]}.`,
      row.number_id === null ? '' : 'The number is yours again, with its previous settings.',
    ].filter(Boolean),
  );
  if (row.lessee_company_id !== null) {
    await mailLessee(t, row, row.lessee_company_id, `Your lease of ${listingName(row)} ended`, [
      `Your lease of ${listingName(row)} ended. ${endReasons[reason]}.`,
      'Calls and texts to this number no longer reach you.',
    ]);
  }
}

async function restoreListerNumber(
  t: TxCtx,
  numberId: number,
  number: string,
  from: string,
): Promise<void> {
  const own = await numberRecord(t.tx, t.companyId, numberId);
  if (own?.status !== 'released') return; // never passed on: leased by hand before leases were installed
  if (!(await reclaimNumber(t.tx, number, numberId, t.now)))
    return void t.log.error(
      { number },
      'a leased number was returned but belongs to another company',
    );
  await updateNumberRow(t.tx, t.companyId, numberId, {
    status: 'active',
    released_at: null,
    release_reason: null,
    updated_at: t.now,
  });
  await recordNumberEvent(t, numberId, {
    type: 'kept',
    summary: `Returned: the lease to ${from} ended`,
  });
  await t.publish(numbers.numberKept, { companyId: t.companyId, numberId, number }, { numberId });
}

/**
 * The lister gives notice: the lease runs to the end of its term and can’t be renewed. With `withdraw` the listing leaves the
 * marketplace then instead of becoming a draft. Twice is once. Call with the leased listing locked.
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
    row.lease_ends_at === null
      ? 'at the end of its term'
      : `on ${formatDay(new Date(row.lease_ends_at))}`;
  await audit(t, 'marketplace.lease_notice', `marketplace:${row.id}`, { after: { withdraw } });
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: `Notice given: the lease won’t be renewed and ends ${ends}${withdraw ? '. Then the number leaves the marketplace' : ''}.`,
    status: 'leased',
  });
  if (!first || row.lessee_company_id === null) return;
  const lesseeCtx = await switchCompany(t, row.lessee_company_id);
  const leased = await leasedNumberOf(lesseeCtx.tx, lesseeCtx.companyId, row.id);
  if (leased) {
    await updateNumberRow(lesseeCtx.tx, lesseeCtx.companyId, leased.id, {
      lease_notice_at: t.now,
      updated_at: t.now,
    });
    await recordNumberEvent(lesseeCtx, leased.id, {
      type: 'settings_changed',
      summary: `The owner gave notice: the lease ends ${ends}`,
    });
    await lesseeCtx.publish(
      numbers.numberChanged,
      {
        companyId: lesseeCtx.companyId,
        numberId: leased.id,
        number: row.number,
        changed: ['lease'],
      },
      { numberId: leased.id },
    );
  }
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

/** The lister ends a lease: it runs to its term, as both sides agreed, and no further. */
export async function endLeaseByNotice(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.endLease>> {
  const row = (await lockListingRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.status !== 'leased') fail('marketplace.not_now', { status: statusLabels[row.status] });
  await giveNotice(ctx, row);
  return { data: await presentDetail(ctx, id) };
}

/** So many days before a lease ends both sides hear of it, once. Call in the lister's company. */
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
  const day = formatDay(new Date(row.lease_ends_at));
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

/** The lessee gave the number up and its time to change that is over: it goes to whoever listed it, not to the carrier. */
export async function returnLeasedNumber(
  ctx: Ctx,
  listingId: number,
  number: string,
): Promise<void> {
  const lister = await listerCompanyOf(ctx.db.unscoped, listingId);
  if (lister === null)
    return void ctx.log.error({ number: formatPhone(number) }, 'a leased number has no listing');
  await ctx.transaction(async (t) => endLease(await switchCompany(t, lister), listingId, 'lessee'));
}
