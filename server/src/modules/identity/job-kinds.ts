import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

export const mailResetLinkJob = jobKind('identity.mailResetLink', z.object({ email: z.string() }), {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});

export const mailSignupCodeJob = jobKind(
  'identity.mailSignupCode',
  z.object({ email: z.string(), codeId: z.number(), sealedCode: z.string() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const textCodeJob = jobKind(
  'identity.textCode',
  z.object({
    personId: z.number(),
    codeId: z.number(),
    sealed: z.string(),
    expiresAt: z.string(),
  }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 2 },
);
