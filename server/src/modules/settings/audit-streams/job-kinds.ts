import { z } from 'zod';
import { jobKind, spread } from '../../../platform/job-kind.ts';

/** Sends what one stream has waiting. Failures are repeated by the clock, so the job itself isn't. */
export const sendAuditStreamJob = jobKind(
  'settings.sendAuditStream',
  z.object({ companyId: z.number(), streamId: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 900,
    overlap: ({ streamId }) => spread('audit-stream', String(streamId)),
    retries: 0,
  },
);
