import { z } from 'zod';
import { id } from '../../schemas.ts';

export const contactGroupsChanged = z.object({
  groupId: id,
  what: z.enum(['added', 'updated', 'deleted', 'restored']),
});

export const contactLabelsChanged = z.object({
  labelId: id,
  what: z.enum(['added', 'updated', 'deleted']),
});
