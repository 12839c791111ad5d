import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

export const bulkStepJob = jobKind(
  'contacts.bulkStep',
  z.object({ companyId: z.number(), batchId: z.uuid(), from: z.number(), after: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 600,
    overlap: ({ companyId }) => `contacts-${companyId}`,
    retries: 24,
  },
);

export const undoStepJob = jobKind(
  'contacts.undoStep',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  {
    queue: 'bulk',
    timeoutSeconds: 600,
    overlap: ({ companyId }) => `contacts-${companyId}`,
    retries: 24,
  },
);
