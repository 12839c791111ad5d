import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

const listingPayload = z.object({ companyId: z.number(), marketplaceId: z.number() });

export const mailListingJob = jobKind(
  'marketplace.mailListing',
  z.object({
    companyId: z.number(),
    to: z.string().nullable(),
    subject: z.string(),
    parts: z.array(z.string()),
    path: z.string(),
  }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const endLeaseJob = jobKind('marketplace.endLease', listingPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});

export const notifyLeaseEndingJob = jobKind(
  'marketplace.notifyLeaseEnding',
  listingPayload.extend({ days: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const expireReservationJob = jobKind('marketplace.expireReservation', listingPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});
