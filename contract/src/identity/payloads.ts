import { z } from 'zod';
import { id } from '../schemas.ts';

export const sessionRevoked = z.object({ userId: id, sessionIds: z.array(id) });

export const permissionsChanged = z.object({ userId: id });
