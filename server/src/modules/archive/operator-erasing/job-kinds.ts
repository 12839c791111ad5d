import { z } from 'zod';
import { jobKind } from '../../../platform/job-kind.ts';

/** Tried again for about a day. */
export const accountErasureJob = jobKind(
  'archive.eraseAccount',
  z.object({ personId: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: ({ personId }) => `erase-account-${personId}`,
    retries: 12,
  },
);
