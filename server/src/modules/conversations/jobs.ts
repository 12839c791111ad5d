import { z } from 'zod';
import { inBulk, job } from '../../platform/jobs.ts';
import { answerKeyword, sendKeywordAnswer } from './answer-keyword.ts';
import { askCarrier } from './ask-carrier.ts';
import { reconcileTexts } from './reconcile-texts.ts';
import { fetchMedia } from './fetch-media.ts';
import { jobs as exportJobs } from './exporting/jobs.ts';
import { jobs as faxJobs } from './fax/jobs.ts';
import { jobs as teamJobs } from './team/jobs.ts';
import { handOver } from './hand-over.ts';
import { sendScheduled } from './send-scheduled.ts';

const companyId = z.number();
const ofItem = z.object({ companyId, itemId: z.number() });

export const jobs = [
  job('conversations.handOver', z.object({ companyId, conversationId: z.number() }), handOver),
  inBulk(job('conversations.reconcileTexts', z.object({}), reconcileTexts, '23 * * * *')),
  job('conversations.askCarrier', ofItem.extend({ times: z.number() }), askCarrier),
  job('conversations.sendScheduled', ofItem, sendScheduled),
  job('conversations.fetchMedia', ofItem, fetchMedia),
  job(
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
  job(
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
  ...faxJobs,
  ...teamJobs,
];
