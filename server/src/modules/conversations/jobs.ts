import { defineRecurring, runJob } from '../../platform/jobs.ts';
import {
  submitJob,
  pollStatusJob,
  sendScheduledJob,
  fetchMediaJob,
  answerKeywordJob,
  sendKeywordAnswerJob,
} from './job-kinds.ts';
import { answerKeyword, sendKeywordAnswer } from './answer-keyword.ts';
import { checkWithCarrier } from './check-with-carrier.ts';
import { reconcileTexts } from './reconcile-texts.ts';
import { fetchMedia } from './fetch-media.ts';
import { jobs as exportJobs } from './exporting/jobs.ts';
import { jobs as teamJobs } from './team/jobs.ts';
import { deleteOldRecords } from './keeping/delete-old.ts';
import { sendQueued } from './send-queued.ts';
import { sendScheduled } from './send-scheduled.ts';

export const jobs = [
  runJob(submitJob, sendQueued),
  defineRecurring(
    'conversations.reconcileTexts',
    {
      cron: '23 * * * *',
      does: 'compares our texts with the carrier’s list',
      queue: 'bulk',
      timeoutSeconds: 3000,
    },
    reconcileTexts,
  ),
  defineRecurring(
    'conversations.deleteOld',
    {
      cron: '41 * * * *',
      does: 'deletes texts and calls that are older than their company keeps them',
      queue: 'bulk',
      timeoutSeconds: 3000,
    },
    deleteOldRecords,
  ),
  runJob(pollStatusJob, checkWithCarrier),
  runJob(sendScheduledJob, sendScheduled),
  runJob(fetchMediaJob, fetchMedia),
  runJob(answerKeywordJob, answerKeyword),
  runJob(sendKeywordAnswerJob, sendKeywordAnswer),
  ...exportJobs,
  ...teamJobs,
];
