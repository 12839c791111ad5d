import { z } from 'zod';
import { marketplace as contract } from '#contract';
import { defineJob } from '../../../platform/jobs.ts';
import { endLease, notifyLeaseEnding } from './end-lease.ts';
import { mailListing } from './mail-listing.ts';
import { lockListing } from './reservation.ts';
import { endedLeases, expiredReservations, expireOffers, leasesEnding } from './store.ts';

const listingPayload = z.object({ companyId: z.number(), marketplaceId: z.number() });
export const jobs = [
  defineJob(
    'numbers.mailListing',
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
    'numbers.endLease',
    listingPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId }) => {
      await ctx.transaction((t) => endLease(t, marketplaceId, 'term'));
    },
  ),
  defineJob(
    'numbers.notifyLeaseEnding',
    listingPayload.extend({ days: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId, days }) => {
      await ctx.transaction((t) => notifyLeaseEnding(t, marketplaceId, days));
    },
  ),
  defineJob(
    'numbers.expireReservation',
    listingPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    async (ctx, { marketplaceId }) => {
      await ctx.transaction((t) => lockListing(t, marketplaceId));
    },
  ),
  defineJob(
    'numbers.endLeases',
    z.unknown(),
    { queue: 'default', timeoutSeconds: 600, overlap: 'never', retries: 0 },
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.systemTransaction((tx) =>
        endedLeases(tx, ctx.now),
      ))
        await ctx.transaction((t) =>
          t.enqueue(
            'numbers.endLease',
            { companyId: company_id, marketplaceId: id },
            { key: `numbers.endLease:${company_id}:${id}` },
          ),
        );
      for (const days of [...contract.leaseNoticeDays].reverse()) {
        for (const { company_id, id } of await ctx.db.systemTransaction((tx) =>
          leasesEnding(tx, days, ctx.now),
        ))
          await ctx.transaction((t) =>
            t.enqueue(
              'numbers.notifyLeaseEnding',
              { companyId: company_id, marketplaceId: id, days },
              { key: `numbers.tellLeaseEnding:${company_id}:${id}:${days}` },
            ),
          );
      }
    },
  ),
  defineJob(
    'numbers.expireMarketplace',
    z.unknown(),
    { queue: 'default', timeoutSeconds: 600, overlap: 'never', retries: 0 },
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.systemTransaction((tx) =>
        expiredReservations(tx, ctx.now),
      ))
        await ctx.transaction((t) =>
          t.enqueue(
            'numbers.expireReservation',
            { companyId: company_id, marketplaceId: id },
            { key: `numbers.lapseReservation:${company_id}:${id}` },
          ),
        );
      await ctx.db.systemTransaction((tx) => expireOffers(tx, ctx.now));
    },
  ),
];
