import { z } from 'zod';

/** Batch progress (A27). Sent only to the person who asked, since the URL opens the file. */
const progress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});

export const exportProgressed = progress;

export const exportCompleted = progress.extend({ resultUrl: z.string().nullable() });
