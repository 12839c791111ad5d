import { defineRecurring, runJob } from '../../platform/jobs.ts';
import {
  updateManyJob,
  releaseManyJob,
  mailKeywordJob,
  buyInBulkJob,
  cleanUpPurchaseJob,
  releaseJob,
  checkSpamLabelsJob,
} from './job-kinds.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { revertUnfinishedPurchase } from './buy-numbers.ts';
import { returnToCarrier } from './remove-number.ts';
import { releaseMany, updateMany } from './bulk/run.ts';
import { mailKeyword } from './triggers/match-keyword.ts';
import { checkSpamLabels, startSpamChecks } from './spam-labels/check-spam-labels.ts';
export const jobs = [
  runJob(updateManyJob, updateMany),
  runJob(releaseManyJob, releaseMany),
  runJob(mailKeywordJob, mailKeyword),
  runJob(buyInBulkJob, buyInBulk),
  runJob(cleanUpPurchaseJob, revertUnfinishedPurchase),
  runJob(releaseJob, returnToCarrier),
  runJob(checkSpamLabelsJob, checkSpamLabels),
  defineRecurring(
    'numbers.startSpamChecks',
    {
      cron: '17 * * * *',
      does: 'asks once a day whether networks show numbers as spam',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startSpamChecks,
  ),
];
