import { z } from 'zod';
import { id } from '../schemas.ts';

export const sourcesChanged = z.object({ companyId: id, sourceIds: z.array(id) });

export const poolChanged = z.object({ companyId: id, poolId: id, deleted: z.boolean() });
