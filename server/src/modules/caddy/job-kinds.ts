import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

const ofAccount = z.object({ companyId: z.number() });
const once = {
  queue: 'default' as const,
  timeoutSeconds: 120,
  retries: 24,
  overlap: ({ companyId }: { companyId: number }) => `caddy.account:${companyId}`,
};
export const checkInactivityJob = jobKind('caddy.checkInactivity', ofAccount, once);
export const eraseAccountJob = jobKind('caddy.eraseAccount', ofAccount, once);

/** `sealed`: where it goes and the code, which no one reads in the queue. */
export const sendCodeJob = jobKind(
  'caddy.sendCode',
  z.object({ codeId: z.number(), sealed: z.string() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 3 },
);
