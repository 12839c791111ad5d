import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { revertUnfinishedPurchase } from './buy-numbers.ts';
import { returnToCarrier } from './remove-number.ts';
import { releaseMany, updateMany } from './bulk/run.ts';
import { mailKeyword } from './triggers/match-keyword.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.uuid() });
export const jobs = [
  defineJob(
    'numbers.updateMany',
    batchPayload,
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
    updateMany,
  ),
  defineJob(
    'numbers.releaseMany',
    batchPayload,
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
    releaseMany,
  ),
  defineJob(
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
    mailKeyword,
  ),
  defineJob(
    'numbers.buyInBulk',
    z.object({ companyId: z.number(), batchId: z.uuid() }),
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
    buyInBulk,
  ),
  defineJob(
    'numbers.cleanUpPurchase',
    z.object({ companyId: z.number(), key: z.string() }),
    { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    revertUnfinishedPurchase,
  ),
  defineJob(
    'numbers.release',
    z.object({ companyId: z.number(), numberId: z.number() }),
    { queue: 'default', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    returnToCarrier,
  ),
];
