import { z } from 'zod';
import { id } from '../../schemas.ts';

export const dataGroupChanged = z.object({ organizationId: id, userId: id });
