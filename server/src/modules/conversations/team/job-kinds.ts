import { z } from 'zod';
import { jobKind } from '../../../platform/job-kind.ts';

const companyId = z.number();

export const unsnoozeJob = jobKind(
  'conversations.unsnooze',
  z.object({ companyId, conversationId: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const afterHoursJob = jobKind(
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
);

export const textBackJob = jobKind(
  'conversations.textBack',
  z.object({ companyId, callId: z.number(), numberId: z.number(), party: z.string() }),
  { queue: 'texts', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);
