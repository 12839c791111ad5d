import { z } from 'zod';
import { marketplace as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { defineJob, defineRecurring } from '../../platform/jobs.ts';
import { endLease, notifyLeaseEnding } from './end-lease.ts';
import { mailListing } from './mail-listing.ts';
import { lockListing } from './reservation.ts';
import { endedLeases, expiredReservations, expireOffers, leasesEnding } from './store-due.ts';

// The system role: clocks: find what is due in every company, then work in each one’s own
// transaction.

const listingPayload = z.object({ companyId: z.number(), marketplaceId: z.number() });
export const jobs = [
  defineJob(
    'marketplace.mailListing',
    z.object({
      companyId: z.number(),
      to: z.string().nullable(),
      subject: z.string(),
      parts: z.array(z.string()),
      path: z.string(),
    }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    mailListing,
  ),
  defineJob(
    'marketplace.endLease',
    listingPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId }) => {
      await ctx.transaction((t) => endLease(t, marketplaceId, 'term'));
    },
  ),
  defineJob(
    'marketplace.notifyLeaseEnding',
    listingPayload.extend({ days: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId, days }) => {
      await ctx.transaction((t) => notifyLeaseEnding(t, marketplaceId, days));
    },
  ),
  defineJob(
    'marketplace.expireReservation',
    listingPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId }) => {
      await ctx.transaction((t) => lockListing(t, marketplaceId));
    },
  ),
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
        'marketplace.endLease',
        { companyId: company_id, marketplaceId: id },
        { key: `marketplace.endLease:${company_id}:${id}` },
      ),
    );
  for (const days of [...contract.leaseNoticeDays].reverse()) {
    const ending = await ctx.db.systemTransaction((tx) => leasesEnding(tx, days, ctx.now));
    for (const { company_id, id } of ending)
      await ctx.transaction((t) =>
        t.enqueue(
          'marketplace.notifyLeaseEnding',
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
        'marketplace.expireReservation',
        { companyId: company_id, marketplaceId: id },
        { key: `marketplace.expireReservation:${company_id}:${id}` },
      ),
    );
  await ctx.db.systemTransaction((tx) => expireOffers(tx, ctx.now));
}
