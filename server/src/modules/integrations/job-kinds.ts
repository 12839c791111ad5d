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

/** Sends a delivery that is due. Run twice, the second finds it claimed or done. */
export const deliverJob = jobKind(
  'integrations.deliver',
  z.object({ companyId: z.number(), deliveryId: z.number(), destinationId: z.number() }),
  {
    queue: 'default',
    // A slow receiver keeps only its own deliveries waiting.
    overlap: ({ destinationId, deliveryId }) =>
      spread('delivery', `${destinationId}-${deliveryId % 4}`),
    retries: 2,
    timeoutSeconds: 90,
  },
);

/** Starts what is due of one destination. Run twice, the second finds each delivery queued or done. */
export const startDueJob = jobKind(
  'integrations.startDue',
  z.object({ companyId: z.number(), destinationId: z.number() }),
  {
    queue: 'default',
    overlap: ({ destinationId }) => spread('start-due', `${destinationId}`),
    retries: 2,
    timeoutSeconds: 60,
  },
);
