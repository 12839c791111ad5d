import { z } from 'zod';
import { id } from '../schemas.ts';

export const routingChanged = z.object({ companyId: id, numberId: id });
