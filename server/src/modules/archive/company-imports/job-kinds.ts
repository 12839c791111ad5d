import { z } from 'zod';
import { jobKind } from '../../../platform/job-kind.ts';

/** Hours that a check or an import can take. */
const HOURS = 6;

export const companyImportJob = jobKind(
  'archive.companyImport',
  z.object({ importId: z.number(), dryRun: z.boolean() }),
  { queue: 'bulk', timeoutSeconds: HOURS * 3600, overlap: 'never', retries: 2 },
);

/** Without a step for this long, its process died in the last attempt. */
export const GIVEN_UP_MS = (HOURS + 1) * 3_600_000;
