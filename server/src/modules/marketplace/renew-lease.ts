import { formatMoney, marketplace as contract, type Answer } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { changeLease } from '../numbers/index.ts';
import { leaseEndDate } from './end-lease.ts';
import { switchCompany, inCompany } from './switch-company.ts';
import { listingName, formatDay, mailLessee, mailLister } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { listerCompanyOf, lockListingRow, updateListingRow } from './store.ts';

// The system role: a buyer or lessee acts in the company of the listing, found by the listing’s
// ID.

/**
 * Renews a lease for the same term at the same price, from the day it would have ended.
 * Fails with `marketplace.renewal_early`, `marketplace.not_renewed` after notice, or 404.
 */
export async function renewLease(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.renewLease>> {
  const lister = (await listerCompanyOf(ctx.db.unscoped, id)) ?? notFound();
  return inCompany(ctx, lister, async (t) => {
    const row = (await lockListingRow(t.tx, lister, id)) ?? notFound();
    if (
      row.status !== 'leased' ||
      row.lessee_company_id !== ctx.companyId ||
      row.lease_ends_at === null
    )
      notFound();
    const end = row.lease_ends_at;
    const problem = contract.renewalProblem(
      { ends_at: end, notice_at: row.lease_notice_at },
      t.now,
    );
    if (problem === 'early')
      fail('marketplace.renewal_early', {
        date: formatDay(new Date(end.getTime() - contract.renewalDays * 86_400_000)),
      });
    if (problem !== null) fail('marketplace.not_renewed', { date: formatDay(end) });
    const lesseeCtx = await switchCompany(t, ctx.companyId);
    const term_months = row.lease_term_months ?? row.minimum_term_months;
    const monthly_cents = row.lease_monthly_cents ?? 0;
    const ends = leaseEndDate(end, term_months);
    const summary = `The lease was renewed until ${formatDay(ends)}`;
    if (!(await changeLease(lesseeCtx, id, { lease_ends_at: ends }, summary))) notFound();
    await switchCompany(t, lister);
    await updateListingRow(t.tx, lister, id, {
      lease_ends_at: ends,
      lease_notified_days: null,
      updated_at: t.now,
    });
    await audit(t, 'marketplace.renewed', `marketplace:${id}`, {
      before: { lease_ends_at: end },
      after: { lease_ends_at: ends },
    });
    const by = row.lessee_name ?? '';
    await recordListingEvent(t, id, {
      kind: 'status',
      text: `${by} renewed the lease until ${formatDay(ends)}.`,
      status: 'leased',
      by,
    });
    const until = `until ${formatDay(ends)} at ${formatMoney(monthly_cents)} a month`;
    await mailLister(t, row, `The lease of ${listingName(row)} was renewed`, [
      `${by} renewed the lease of ${listingName(row)} ${until}.`,
    ]);
    await mailLessee(t, row, ctx.companyId, `You renewed the lease of ${listingName(row)}`, [
      `${listingName(row)} is leased to ${by} ${until}.`,
    ]);
    return {
      data: { number: row.number, ends_at: ends.toISOString(), monthly_cents, term_months },
    };
  });
}
