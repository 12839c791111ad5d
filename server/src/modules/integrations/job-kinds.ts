import { z } from 'zod';
import { jobKind, spread } from '../../platform/job-kind.ts';

/** Reads a connected account at its provider. Run twice, the second finds its batch done. */
export const syncJob = jobKind(
  'integrations.sync',
  z.object({ companyId: z.number(), connectionId: z.number(), batchId: z.string() }),
  {
    queue: 'default',
    overlap: ({ connectionId }) => spread('sync', `${connectionId}`),
    retries: 2,
    timeoutSeconds: 60,
  },
);
