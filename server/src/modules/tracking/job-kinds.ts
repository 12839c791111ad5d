import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

export const routeNumbersJob = jobKind(
  'tracking.routeNumbers',
  z.object({ companyId: z.number(), poolId: z.number(), numberIds: z.array(z.number()) }),
  { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
);
