import { z } from 'zod';
import { job } from '../../../platform/jobs.ts';
import { answerAfterHours } from './answer-after-hours.ts';
import { wakeConversation } from './snooze-conversations.ts';
import { textBack } from './text-back.ts';

const companyId = z.number();
export const jobs = [
  job('conversations.wake', z.object({ companyId, conversationId: z.number() }), wakeConversation),
  job(
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
    answerAfterHours,
  ),
  job(
    'conversations.textBack',
    z.object({ companyId, callId: z.number(), numberId: z.number(), party: z.string() }),
    textBack,
  ),
];
