import { z } from 'zod';
import { id } from '../../schemas.ts';

export const forwardContactChanged = z.object({
  contactId: id,
  name: z.string(),
  added: z.boolean(),
  moved: z.boolean(),
});

export const forwardContactDeleted = z.object({
  contactId: id,
  name: z.string(),
  replacedBy: id.nullable(),
});
