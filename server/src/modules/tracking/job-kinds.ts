import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

/** Looks at the pages of a company's websites. Run twice, it looks twice. */
export const checkSitesJob = jobKind('tracking.checkSites', z.object({ companyId: z.number() }), {
  queue: 'bulk',
  timeoutSeconds: 300,
  overlap: 'allowed',
  retries: 0,
});

/** Buys numbers for a company's pools that are busy. Run twice at once, one of them buys. */
export const growPoolsJob = jobKind('tracking.growPools', z.object({ companyId: z.number() }), {
  queue: 'bulk',
  timeoutSeconds: 300,
  overlap: 'allowed',
  retries: 0,
});

export const routeNumbersJob = jobKind(
  'tracking.routeNumbers',
  z.object({ companyId: z.number(), poolId: z.number(), numberIds: z.array(z.number()) }),
  { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 24 },
);
