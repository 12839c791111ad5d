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

/** Mails a person of new alerts, once their quiet hours are over. */
export const mailAlertsJob = jobKind(
  'monitoring.mailAlerts',
  z.object({ companyId: z.number(), userId: z.number(), alertIds: z.array(z.number()) }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
);

/** Posts new alerts to a channel, once its quiet hours are over. */
export const postAlertsJob = jobKind(
  'monitoring.postAlerts',
  z.object({ companyId: z.number(), destinationId: z.number(), alertIds: z.array(z.number()) }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
);
