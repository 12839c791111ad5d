import { z } from 'zod';
import { jobKind } from '../../../platform/job-kind.ts';

const payload = z.object({ companyId: z.number(), updateId: z.number() });
/** One at a time in a company, so that files have their effect in the order of their upload. */
const policy = {
  queue: 'bulk',
  timeoutSeconds: 7200,
  overlap: ({ companyId }: { companyId: number }) => `field-update:${companyId}`,
  retries: 5,
} as const;

export const fieldUpdateJob = jobKind('fieldUpdates.run', payload, policy);
export const undoFieldUpdateJob = jobKind('fieldUpdates.undo', payload, policy);
