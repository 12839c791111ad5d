import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { mailSignupCode } from './persons.ts';
import { mailResetLink } from './reset-password.ts';

export const jobs = [
  job('identity.mailResetLink', z.object({ email: z.string() }), mailResetLink),
  job(
    'identity.mailSignupCode',
    z.object({ email: z.string(), codeId: z.number(), sealedCode: z.string() }),
    mailSignupCode,
  ),
];
