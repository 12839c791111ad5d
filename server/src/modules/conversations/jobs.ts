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
  runJob(pollStatusJob, checkWithCarrier),
  runJob(sendScheduledJob, sendScheduled),
  runJob(fetchMediaJob, fetchMedia),
  runJob(answerKeywordJob, answerKeyword),
  runJob(sendKeywordAnswerJob, sendKeywordAnswer),
  ...exportJobs,
  ...teamJobs,
];
