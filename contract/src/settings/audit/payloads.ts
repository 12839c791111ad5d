import { z } from 'zod';
import { id } from '../../schemas.ts';

/** An entry was added. It has no content: who may read the entry asks for it. */
export const auditRecorded = z.object({ companyId: id });
