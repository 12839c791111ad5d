import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.uuid() });

export const updateManyJob = jobKind('numbers.updateMany', batchPayload, {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: 'allowed',
  retries: 24,
});

export const releaseManyJob = jobKind('numbers.releaseMany', batchPayload, {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: 'allowed',
  retries: 24,
});

export const mailKeywordJob = jobKind(
  'numbers.mailKeyword',
  z.object({
    companyId: z.number(),
    to: z.string(),
    keyword: z.string(),
    party: z.string(),
    number: z.string(),
    label: z.string(),
    text: z.string(),
    key: z.string(),
  }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const buyInBulkJob = jobKind(
  'numbers.buyInBulk',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
);

export const cleanUpPurchaseJob = jobKind(
  'numbers.cleanUpPurchase',
  z.object({ companyId: z.number(), key: z.string() }),
  { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
);

/** Run twice, it asks about what is still due. */
export const checkSpamLabelsJob = jobKind(
  'numbers.checkSpamLabels',
  z.object({ companyId: z.number() }),
  { queue: 'bulk', timeoutSeconds: 600, overlap: 'allowed', retries: 3 },
);

export const releaseJob = jobKind(
  'numbers.release',
  z.object({ companyId: z.number(), numberId: z.number() }),
  { queue: 'default', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
);
