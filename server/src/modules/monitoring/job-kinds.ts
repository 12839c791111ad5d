import { z } from 'zod';
import { alertKindNames } from '#contract/monitoring/rules';
import { jobKind } from '../../platform/job-kind.ts';

/** Checks a company for these kinds of alerts. Run twice, it finds the same and counts it twice. */
export const checkJob = jobKind(
  'monitoring.check',
  z.object({
    companyId: z.number(),
    kinds: z.array(z.enum(alertKindNames)),
  }),
  { queue: 'bulk', overlap: 'allowed', retries: 0, timeoutSeconds: 60 },
);
