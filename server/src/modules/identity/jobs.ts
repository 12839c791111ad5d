import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { mailSignupCode } from './persons.ts';
import { mailResetLink } from './reset-password.ts';

export const jobs = [
  defineJob('identity.mailResetLink', z.object({ email: z.string() }), mailResetLink),
  defineJob(
    'identity.mailSignupCode',
    z.object({ email: z.string(), codeId: z.number(), sealedCode: z.string() }),
    mailSignupCode,
  ),
];
