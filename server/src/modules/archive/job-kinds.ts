import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

export const archiveJob = jobKind(
  'archive.write',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  { queue: 'bulk', timeoutSeconds: 6 * 3600, overlap: 'allowed', retries: 3 },
);
