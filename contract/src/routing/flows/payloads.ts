import { z } from 'zod';
import { id } from '../../schemas.ts';

export const flowChanged = z.object({
  companyId: id,
  numberId: id,
  what: z.enum(['draft', 'discarded', 'published']),
  byName: z.string(),
});
