import { z } from 'zod';
import { id } from '../../schemas.ts';

export const factorsChanged = z.object({ userId: id });
