import { z } from 'zod';
import { id } from '../../schemas.ts';

export const erasureProgressed = z.object({
  contactId: id,
  batchId: z.uuid(),
  progress: z.number(),
});

export const erasureCompleted = erasureProgressed.extend({ failure: z.string().nullable() });

export const personErased = z.object({ contactId: id, batchId: z.uuid() });

export const legalHoldChanged = z.object({ contactId: id });
