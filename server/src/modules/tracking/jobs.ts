import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { routePoolNumbers } from './pools/route-numbers.ts';

export const jobs = [
  defineJob(
    'tracking.routeNumbers',
    z.object({ companyId: z.number(), poolId: z.number(), numberIds: z.array(z.number()) }),
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
    routePoolNumbers,
  ),
];
