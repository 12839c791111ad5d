import { z } from 'zod';
import { jobKind, spread, type JobPolicy } from '../../platform/job-kind.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.uuid() });
/** Changes of many numbers: a company's come one after the other, so that others don't wait for all of them. */
const many: JobPolicy<z.infer<typeof batchPayload>> = {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: ({ companyId }) => spread('many-numbers', String(companyId)),
  retries: 24,
};

export const updateManyJob = jobKind('numbers.updateMany', batchPayload, many);

export const releaseManyJob = jobKind('numbers.releaseMany', batchPayload, many);

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

export const buyInBulkJob = jobKind('numbers.buyInBulk', batchPayload, many);

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
