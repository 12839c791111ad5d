import { z } from 'zod';
import { jobKind } from '../../../platform/job-kind.ts';

export const eraseJob = jobKind(
  'archive.erasePerson',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: ({ companyId }) => `erase-${companyId}`,
    retries: 24,
  },
);
