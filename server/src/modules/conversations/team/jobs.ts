import { z } from 'zod';
import { defineJob } from '../../../platform/jobs.ts';
import { sendAfterHoursReply } from './after-hours-reply.ts';
import { endSnooze } from './snooze-conversations.ts';
import { sendTextBack } from './text-back.ts';

const companyId = z.number();
export const jobs = [
  defineJob(
    'conversations.unsnooze',
    z.object({ companyId, conversationId: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    endSnooze,
  ),
  defineJob(
    'conversations.afterHours',
    z.object({
      companyId,
      numberId: z.number(),
      party: z.string(),
      text: z.string(),
      conversationId: z.number(),
      itemId: z.number(),
      at: z.string(),
    }),
    { queue: 'texts', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    sendAfterHoursReply,
  ),
  defineJob(
    'conversations.textBack',
    z.object({ companyId, callId: z.number(), numberId: z.number(), party: z.string() }),
    { queue: 'texts', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    sendTextBack,
  ),
];
