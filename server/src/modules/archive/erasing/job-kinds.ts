import { z } from 'zod';
import { batchKind } from '../../../platform/batch-kind.ts';
import { jobKind } from '../../../platform/job-kind.ts';

/** The kind of the batch of an erasure; `store-runs.ts` and an index name it, too. */
export const ERASURE_KIND = batchKind('erase-person', z.object({ contactId: z.number() }));

/** Tried again for about a day, such as while the person is on a call. */
export const eraseJob = jobKind(
  'archive.erasePerson',
  z.object({ companyId: z.number(), batchId: z.uuid() }),
  {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: ({ companyId }) => `erase-${companyId}`,
    retries: 12,
  },
);
