import { z } from 'zod';
import { jobKind, spread } from '../../platform/job-kind.ts';

export const archiveJob = jobKind(
  'archive.write',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  {
    queue: 'bulk',
    timeoutSeconds: 6 * 3600,
    overlap: ({ companyId }) => spread('archive', String(companyId)),
    retries: 3,
  },
);
