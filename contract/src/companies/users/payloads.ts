import { z } from 'zod';
import { id } from '../../schemas.ts';

export const userAccessEnded = z.object({ companyId: id, userId: id });

export const ownershipTransferChanged = z.object({
  companyId: id,
  change: z.enum(['started', 'canceled', 'accepted']),
});
