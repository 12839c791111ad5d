import { z } from 'zod';
import { id } from '../schemas.ts';

/** An archive was requested, is ready, or failed. */
export const archiveChanged = z.object({ batchId: z.uuid() });

export const exportsChanged = z.object({ companyId: id });
