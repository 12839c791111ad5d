import { z } from 'zod';
import { inBulk, job } from '../../platform/jobs.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { tidyPurchase } from './buy-numbers.ts';
import { jobs as marketplaceJobs } from './marketplace/jobs.ts';
import { jobs as portJobs } from './porting/jobs.ts';
import { giveBackNumber } from './remove-number.ts';
import { releaseMany, updateMany } from './many/run.ts';
import { mailKeyword } from './triggers/hear-keyword.ts';

const ofBatch = z.object({ companyId: z.number(), batchId: z.uuid() });
export const jobs = [
  inBulk(job('numbers.updateMany', ofBatch, updateMany)),
  inBulk(job('numbers.releaseMany', ofBatch, releaseMany)),
  job(
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
  ...portJobs,
  ...marketplaceJobs,
  inBulk(
    job('numbers.buyInBulk', z.object({ companyId: z.number(), batchId: z.uuid() }), buyInBulk),
  ),
  job('numbers.tidyPurchase', z.object({ companyId: z.number(), key: z.string() }), tidyPurchase),
  job(
    'numbers.giveBack',
    z.object({ companyId: z.number(), numberId: z.number() }),
    giveBackNumber,
  ),
];
