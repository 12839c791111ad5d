import { z } from 'zod';
import { asBulk, defineJob } from '../../platform/jobs.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { revertUnfinishedPurchase } from './buy-numbers.ts';
import { returnToCarrier } from './remove-number.ts';
import { releaseMany, updateMany } from './bulk/run.ts';
import { mailKeyword } from './triggers/match-keyword.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.uuid() });
export const jobs = [
  asBulk(defineJob('numbers.updateMany', batchPayload, updateMany)),
  asBulk(defineJob('numbers.releaseMany', batchPayload, releaseMany)),
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
    mailKeyword,
  ),
  asBulk(
    defineJob(
      'numbers.buyInBulk',
      z.object({ companyId: z.number(), batchId: z.uuid() }),
      buyInBulk,
    ),
  ),
  defineJob(
    'numbers.cleanUpPurchase',
    z.object({ companyId: z.number(), key: z.string() }),
    revertUnfinishedPurchase,
  ),
  defineJob(
    'numbers.release',
    z.object({ companyId: z.number(), numberId: z.number() }),
    returnToCarrier,
  ),
];
