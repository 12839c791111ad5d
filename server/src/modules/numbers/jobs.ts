import { runJob } from '../../platform/jobs.ts';
import {
  updateManyJob,
  releaseManyJob,
  mailKeywordJob,
  buyInBulkJob,
  cleanUpPurchaseJob,
  releaseJob,
} from './job-kinds.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { revertUnfinishedPurchase } from './buy-numbers.ts';
import { returnToCarrier } from './remove-number.ts';
import { releaseMany, updateMany } from './bulk/run.ts';
import { mailKeyword } from './triggers/match-keyword.ts';
export const jobs = [
  runJob(updateManyJob, updateMany),
  runJob(releaseManyJob, releaseMany),
  runJob(mailKeywordJob, mailKeyword),
  runJob(buyInBulkJob, buyInBulk),
  runJob(cleanUpPurchaseJob, revertUnfinishedPurchase),
  runJob(releaseJob, returnToCarrier),
];
