import { z } from 'zod';
import { id } from '../../schemas.ts';

export const greetingChanged = z.object({
  companyId: id,
  greetingId: id,
  change: z.enum(['added', 'updated', 'deleted']),
});
