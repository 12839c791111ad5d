import { z } from 'zod';

/** An archive was requested, is ready, or failed. */
export const archiveChanged = z.object({ batchId: z.uuid() });
