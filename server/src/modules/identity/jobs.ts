import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { textCode } from './mfa/send-code.ts';
import { mailSignupCode } from './persons.ts';
import { mailResetLink } from './reset-password.ts';

export const jobs = [
  defineJob(
    'identity.mailResetLink',
    z.object({ email: z.string() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    mailResetLink,
  ),
  defineJob(
    'identity.mailSignupCode',
    z.object({ email: z.string(), codeId: z.number(), sealedCode: z.string() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    mailSignupCode,
  ),
  defineJob(
    'identity.textCode',
    z.object({
      personId: z.number(),
      codeId: z.number(),
      sealed: z.string(),
      expiresAt: z.string(),
    }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 2 },
    textCode,
  ),
];
