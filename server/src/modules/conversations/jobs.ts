import { z } from 'zod';
import { spread } from '../../platform/job-policies.ts';
import { defineJob, defineRecurring } from '../../platform/jobs.ts';
import { answerKeyword, sendKeywordAnswer } from './answer-keyword.ts';
import { checkWithCarrier } from './check-with-carrier.ts';
import { reconcileTexts } from './reconcile-texts.ts';
import { fetchMedia } from './fetch-media.ts';
import { jobs as exportJobs } from './exporting/jobs.ts';
import { jobs as teamJobs } from './team/jobs.ts';
import { sendQueued } from './send-queued.ts';
import { sendScheduled } from './send-scheduled.ts';

const companyId = z.number();
const itemPayload = z.object({ companyId, itemId: z.number() });

export const jobs = [
  defineJob(
    'conversations.submit',
    z.object({ companyId, conversationId: z.number() }),
    {
      queue: 'texts',
      timeoutSeconds: 300,
      // Three of a company at a time: one whose carrier is away leaves room for the others.
      overlap: (job) => spread('texts', `${job.companyId}:${job.conversationId % 3}`),
      retries: 24,
    },
    sendQueued,
  ),
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
  defineJob(
    'conversations.pollStatus',
    itemPayload.extend({ times: z.number() }),
    { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    checkWithCarrier,
  ),
  defineJob(
    'conversations.sendScheduled',
    itemPayload,
    { queue: 'texts', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    sendScheduled,
  ),
  defineJob(
    'conversations.fetchMedia',
    itemPayload,
    {
      queue: 'documents',
      timeoutSeconds: 300,
      overlap: (job) => spread('media', `${job.companyId}:${job.itemId % 2}`),
      retries: 24,
    },
    fetchMedia,
  ),
  defineJob(
    'conversations.answerKeyword',
    z.object({
      companyId,
      numberId: z.number(),
      party: z.string(),
      text: z.string(),
      triggerId: z.number(),
      conversationId: z.number(),
      itemId: z.number(),
    }),
    { queue: 'texts', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    answerKeyword,
  ),
  defineJob(
    'conversations.sendKeywordAnswer',
    z.object({
      companyId,
      numberId: z.number(),
      party: z.string(),
      text: z.string(),
      conversationId: z.number(),
      itemId: z.number(),
      content: z.string(),
      media: z.array(
        z.object({ fileId: z.number(), type: z.string(), bytes: z.number(), name: z.string() }),
      ),
    }),
    { queue: 'texts', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    sendKeywordAnswer,
  ),
  ...exportJobs,
  ...teamJobs,
];
