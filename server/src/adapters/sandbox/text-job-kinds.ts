import { z } from 'zod';
import { enqueueIn } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { jobKind, spread } from '../../platform/job-kind.ts';

const textPayload = z.object({ textId: z.number() }).loose();
const textsPayload = z.object({ textIds: z.array(z.number()).min(1) }).loose();
const policy = { queue: 'texts', timeoutSeconds: 60, retries: 24 } as const;

export const reportTextsJob = jobKind('sandbox.reportTexts', textsPayload, {
  ...policy,
  // Half of the queue's workers: receipts of a campaign don't delay what others send.
  overlap: ({ textIds: [first = 0] }) => spread('sandbox-receipts', String(first % 3)),
});
export const deliverTextJob = jobKind('sandbox.deliverTexts', textPayload, {
  ...policy,
  overlap: 'allowed',
});

/** Queues the receipts of texts, to be sent after `afterMs`. */
export const queueReports = (tx: Tx, textIds: number[], afterMs: number): Promise<void> =>
  enqueueIn(tx, reportTextsJob, { textIds }, { runAt: new Date(Date.now() + afterMs) });

/** Queues the delivery of a text to the customer, to run after `afterMs`. */
export const queueDelivery = (tx: Tx, textId: number, afterMs: number): Promise<void> =>
  enqueueIn(tx, deliverTextJob, { textId }, { runAt: new Date(Date.now() + afterMs) });
