import { z } from 'zod';
import { marketplace as contract } from '#contract';
import { job } from '../../../platform/jobs.ts';
import { endLease, tellLeaseEnding } from './end-lease.ts';
import { mailListing } from './mail-listing.ts';
import { lockStanding } from './reservation.ts';
import { endedLeases, lapsedReservations, lapseOffers, leasesEnding } from './store.ts';

const ofListing = z.object({ companyId: z.number(), marketplaceId: z.number() });
export const jobs = [
  job(
    'numbers.mailListing',
    z.object({
      companyId: z.number(),
      to: z.string().nullable(),
      subject: z.string(),
      parts: z.array(z.string()),
      path: z.string(),
    }),
    mailListing,
  ),
  job('numbers.endLease', ofListing, async (ctx, { marketplaceId }) => {
    await ctx.transaction((t) => endLease(t, marketplaceId, 'term'));
  }),
  job(
    'numbers.tellLeaseEnding',
    ofListing.extend({ days: z.number() }),
    async (ctx, { marketplaceId, days }) => {
      await ctx.transaction((t) => tellLeaseEnding(t, marketplaceId, days));
    },
  ),
  job('numbers.lapseReservation', ofListing, async (ctx, { marketplaceId }) => {
    await ctx.transaction((t) => lockStanding(t, marketplaceId));
  }),
  job(
    'numbers.endLeases',
    z.unknown(),
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.system((tx) => endedLeases(tx, ctx.now)))
        await ctx.transaction((t) =>
          t.enqueue(
            'numbers.endLease',
            { companyId: company_id, marketplaceId: id },
            { key: `numbers.endLease:${company_id}:${id}` },
          ),
        );
      for (const days of [...contract.leaseNoticeDays].reverse()) {
        for (const { company_id, id } of await ctx.db.system((tx) =>
          leasesEnding(tx, days, ctx.now),
        ))
          await ctx.transaction((t) =>
            t.enqueue(
              'numbers.tellLeaseEnding',
              { companyId: company_id, marketplaceId: id, days },
              { key: `numbers.tellLeaseEnding:${company_id}:${id}:${days}` },
            ),
          );
      }
    },
    '15 * * * *',
  ),
  job(
    'numbers.lapseMarketplace',
    z.unknown(),
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.system((tx) => lapsedReservations(tx, ctx.now)))
        await ctx.transaction((t) =>
          t.enqueue(
            'numbers.lapseReservation',
            { companyId: company_id, marketplaceId: id },
            { key: `numbers.lapseReservation:${company_id}:${id}` },
          ),
        );
      await ctx.db.system((tx) => lapseOffers(tx, ctx.now));
    },
    '*/5 * * * *',
  ),
];
