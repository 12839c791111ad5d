import { z } from 'zod';

/** Told only to whoever asked: the file's address opens it. A27's shape of batch news. */
const progress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});

export const exportProgressed = progress;

export const exportCompleted = progress.extend({ resultUrl: z.string().nullable() });
