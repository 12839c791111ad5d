import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { mailFax } from './mail-fax.ts';
import { mailDigest } from './mail-digest.ts';
import { push } from './deliver-push.ts';

const note = z.object({
  kind: z.enum(['call', 'news']),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  ttlSeconds: z.number(),
});
export const jobs = [
  defineJob(
    'notifications.push',
    z.object({ companyId: z.number(), deviceId: z.number(), note, key: z.string() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 3 },
    push,
  ),
  defineJob(
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
    mailFax,
  ),
  defineJob(
    'notifications.mailDigest',
    z.object({ companyId: z.number(), userId: z.number(), conversationId: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
    mailDigest,
  ),
];
