import { z } from 'zod';
import { id } from '../schemas.ts';
import { status } from './schemas.ts';

export const marketplaceChanged = z.object({
  companyId: id,
  marketplaceId: id,
  status,
  what: z.string(),
});
