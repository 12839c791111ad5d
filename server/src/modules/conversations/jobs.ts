import { z } from 'zod';
import { asBulk, defineJob } from '../../platform/jobs.ts';
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
    sendQueued,
  ),
  asBulk(defineJob('conversations.reconcileTexts', z.object({}), reconcileTexts, '23 * * * *')),
  defineJob(
    'conversations.pollStatus',
    itemPayload.extend({ times: z.number() }),
    checkWithCarrier,
  ),
  defineJob('conversations.sendScheduled', itemPayload, sendScheduled),
  defineJob('conversations.fetchMedia', itemPayload, fetchMedia),
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
    sendKeywordAnswer,
  ),
  ...exportJobs,
  ...teamJobs,
];
