import { marketplace as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { defineRecurring, runJob } from '../../platform/jobs.ts';
import {
  mailListingJob,
  endLeaseJob,
  notifyLeaseEndingJob,
  expireReservationJob,
} from './job-kinds.ts';
import { endLease, notifyLeaseEnding } from './end-lease.ts';
import { mailListing } from './mail-listing.ts';
import { lockListing } from './reservation.ts';
import { endedLeases, expiredReservations, expireOffers, leasesEnding } from './store-due.ts';
// The system role: finds what is due in every company, then works in each one’s own transaction.

export const jobs = [
  runJob(mailListingJob, mailListing),
  runJob(endLeaseJob, async (ctx, { marketplaceId }) => {
    await ctx.transaction((t) => endLease(t, marketplaceId, 'term'));
  }),
  runJob(notifyLeaseEndingJob, async (ctx, { marketplaceId, days }) => {
    await ctx.transaction((t) => notifyLeaseEnding(t, marketplaceId, days));
  }),
  runJob(expireReservationJob, async (ctx, { marketplaceId }) => {
    await ctx.transaction((t) => lockListing(t, marketplaceId));
  }),
  defineRecurring(
    'marketplace.endLeases',
    {
      cron: '15 * * * *',
      does: 'ends leases of numbers, and announces the end of others',
      queue: 'default',
      timeoutSeconds: 600,
    },
    enqueueLeaseEnds,
  ),
  defineRecurring(
    'marketplace.expire',
    {
      cron: '*/5 * * * *',
      does: 'ends reservations and offers whose time is over',
      queue: 'default',
      timeoutSeconds: 600,
    },
    enqueueExpired,
  ),
];

/** Queues the end of each lease whose term is over, and each reminder that is due. */
async function enqueueLeaseEnds(ctx: Ctx): Promise<void> {
  const ended = await ctx.db.systemTransaction((tx) => endedLeases(tx, ctx.now));
  for (const { company_id, id } of ended)
    await ctx.transaction((t) =>
      t.enqueue(
        endLeaseJob,
        { companyId: company_id, marketplaceId: id },
        { key: `marketplace.endLease:${company_id}:${id}` },
      ),
    );
  for (const days of [...contract.leaseNoticeDays].reverse()) {
    const ending = await ctx.db.systemTransaction((tx) => leasesEnding(tx, days, ctx.now));
    for (const { company_id, id } of ending)
      await ctx.transaction((t) =>
        t.enqueue(
          notifyLeaseEndingJob,
          { companyId: company_id, marketplaceId: id, days },
          { key: `marketplace.notifyLeaseEnding:${company_id}:${id}:${days}` },
        ),
      );
  }
}

/** Queues the end of each expired reservation, and ends expired offers. */
async function enqueueExpired(ctx: Ctx): Promise<void> {
  const expired = await ctx.db.systemTransaction((tx) => expiredReservations(tx, ctx.now));
  for (const { company_id, id } of expired)
    await ctx.transaction((t) =>
      t.enqueue(
        expireReservationJob,
        { companyId: company_id, marketplaceId: id },
        { key: `marketplace.expireReservation:${company_id}:${id}` },
      ),
    );
  await ctx.db.systemTransaction((tx) => expireOffers(tx, ctx.now));
}
