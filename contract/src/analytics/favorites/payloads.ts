import { z } from 'zod';
import { id } from '../../schemas.ts';

export const favoriteReportsChanged = z.object({ companyId: id, favoriteId: id });
