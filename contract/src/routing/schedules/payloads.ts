import { z } from 'zod';
import { id } from '../../schemas.ts';

export const scheduleChanged = z.object({ companyId: id, userId: id.nullable() });
