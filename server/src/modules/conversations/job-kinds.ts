import { z } from 'zod';
import { spread } from '../../platform/job-kind.ts';
import { jobKind } from '../../platform/job-kind.ts';

const companyId = z.number();
const itemPayload = z.object({ companyId, itemId: z.number() });

export const submitJob = jobKind(
  'conversations.submit',
  z.object({ companyId, conversationId: z.number() }),
  {
    queue: 'texts',
    timeoutSeconds: 300,
    // Three of a company at a time: one whose carrier is away leaves room for the others.
    overlap: (job) => spread('texts', `${job.companyId}:${job.conversationId % 3}`),
    retries: 24,
  },
);

export const pollStatusJob = jobKind(
  'conversations.pollStatus',
  itemPayload.extend({ times: z.number() }),
  { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const sendScheduledJob = jobKind('conversations.sendScheduled', itemPayload, {
  queue: 'texts',
  timeoutSeconds: 120,
  overlap: 'allowed',
  retries: 24,
});

export const fetchMediaJob = jobKind('conversations.fetchMedia', itemPayload, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: (job) => spread('media', `${job.companyId}:${job.itemId % 2}`),
  retries: 24,
});

export const answerKeywordJob = jobKind(
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
);

export const sendKeywordAnswerJob = jobKind(
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
);
