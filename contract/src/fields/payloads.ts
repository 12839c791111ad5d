import { z } from 'zod';
import { id } from '../schemas.ts';

export const fieldsChanged = z.object({
  companyId: id,
  entityTypeId: z.number(),
  fieldId: id,
  change: z.enum(['created', 'updated', 'deleted', 'overridden']),
});

export const numberValuesChanged = z.object({
  companyId: id,
  fieldId: id,
  name: z.string(),
  at: z.string(),
  userId: id.nullable(),
  userName: z.string(),
  changes: z.array(z.object({ numberId: id, before: z.string(), after: z.string() })),
});

export const tagsChanged = z.object({
  companyId: id,
  tagIds: z.array(id),
  change: z.enum(['created', 'updated', 'merged', 'deleted', 'restored']),
});
