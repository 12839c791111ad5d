import { z } from 'zod';
import { id } from '../../schemas.ts';

export const personErased = z.object({ contactId: id, batchId: z.uuid() });

export const legalHoldChanged = z.object({ contactId: id });
