import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

/** The content of the alert mail, fixed when the call ended. */
const callAlertPayload = z.object({
  companyId: z.number(),
  callId: z.number(),
  to: z.string(),
  subject: z.string(),
  lines: z.array(z.string()),
});
export type CallAlert = z.infer<typeof callAlertPayload>;

export const sendCallAlertJob = jobKind('routing.sendCallAlert', callAlertPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 7,
});

export const deleteSoundJob = jobKind(
  'routing.deleteSound',
  z.object({ companyId: z.number(), fileId: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);
