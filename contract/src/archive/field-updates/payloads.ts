import { z } from 'zod';
import { id } from '../../schemas.ts';
import { fieldUpdateStates } from './rules.ts';

export const fieldUpdateChanged = z.object({
  companyId: id,
  updateId: id,
  batchId: z.uuid(),
  state: z.enum(fieldUpdateStates),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});
