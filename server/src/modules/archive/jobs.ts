import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { ARCHIVE_JOB, runArchive } from './run-archive.ts';

export const jobs = [
  defineJob(
    ARCHIVE_JOB,
    z.object({ companyId: z.number(), batchId: z.uuid() }),
    { queue: 'bulk', timeoutSeconds: 6 * 3600, overlap: 'allowed', retries: 3 },
    (ctx, { batchId }, attempt) => runArchive(ctx, batchId, attempt),
  ),
];
