import { z } from 'zod';
import { id } from '../../schemas.ts';

export const auditStreamsChanged = z.object({ companyId: id });
