import { z } from 'zod';
import { id } from '../schemas.ts';

export const settingsChanged = z.object({ companyId: id, keys: z.array(z.string()) });
