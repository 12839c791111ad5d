import { z } from 'zod';
import { id, instant } from '../schemas.ts';

const which = { companyId: id, numberId: id, number: z.string() };

export const numberPurchased = z.object({
  ...which,
  label: z.string(),
  templateId: id.nullable(),
  by: id.nullable(),
  copyOf: id.nullish().meta({ description: 'The number it replaces; its routes are copied' }),
  poolId: id.nullish().meta({ description: 'The tracking pool it was bought for' }),
});

export const numberChanged = z.object({ ...which, changed: z.array(z.string()) });

export const numberReleasing = z.object({
  ...which,
  releasingAt: instant,
  returnsAt: instant,
  reason: z.string().nullable(),
  by: id.nullable(),
});

export const numberKept = z.object(which);

export const numberReleased = z.object(which);

export const leasedNumberReturned = z.object({ ...which, listingId: id });

export const numberLimitRequested = z.object({
  companyId: id,
  requestId: id,
  requested: z.number(),
  reason: z.string(),
});

/**
 * `purchased` and `failed` hold what is new since the last event; the final event holds all (A27).
 */
const purchaseNews = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  total: z.number(),
  processed: z.number(),
  purchased: z.array(z.object({ id, number: z.string() })),
  failed: z.array(z.object({ number: z.string(), reason: z.string() })),
});

export const bulkPurchaseProgressed = purchaseNews;

export const bulkPurchaseFinished = purchaseNews;

/** Progress of a job over many numbers (A27). */
const batchNews = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});

const batchDone = batchNews.extend({ resultUrl: z.string().nullable() });

export const updateNumbersProgressed = batchNews;

export const updateNumbersCompleted = batchDone;

export const releaseNumbersProgressed = batchNews;

export const releaseNumbersCompleted = batchDone;

export const numberRotated = z.object({
  ...which,
  newNumberId: id,
  newNumber: z.string(),
  forwardUntil: instant,
});
