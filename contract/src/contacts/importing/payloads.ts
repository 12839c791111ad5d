import { z } from 'zod';
import { id } from '../../schemas.ts';
import { importStates } from './rules.ts';

const progress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});

export const contactImportProgressed = progress;

export const contactImportCompleted = progress.extend({
  resultUrl: z.string().nullable(),
  failure: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Why the whole job failed; absent or null if it succeeded' }),
});

export const contactImportChanged = z.object({ importId: id, state: z.enum(importStates) });

export const importOptOutsFound = z.object({
  importId: id,
  numbers: z.array(z.string()).max(1000),
});
