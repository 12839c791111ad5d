import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

const note = z.object({
  kind: z.enum(['call', 'news']),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  ttlSeconds: z.number(),
});

export const pushJob = jobKind(
  'notifications.push',
  z.object({ companyId: z.number(), deviceId: z.number(), note, key: z.string() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 3 },
);

export const mailFaxJob = jobKind(
  'notifications.mailFax',
  z.object({
    companyId: z.number(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    path: z.string(),
    key: z.string(),
  }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
);

export const mailDigestJob = jobKind(
  'notifications.mailDigest',
  z.object({ companyId: z.number(), userId: z.number(), conversationId: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
);
