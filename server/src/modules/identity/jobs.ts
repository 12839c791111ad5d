import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
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
];
