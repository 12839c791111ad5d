import { z } from 'zod';
import { id } from '../../schemas.ts';

export const tenantChanged = z.object({ organizationId: id });
