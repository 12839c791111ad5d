import { z } from 'zod';
import { id } from '../../schemas.ts';

export const numberTemplateChanged = z.object({
  templateId: id,
  name: z.string(),
  gone: z.boolean(),
});

export const templateApplied = z.object({
  templateId: id,
  name: z.string(),
  numberId: id,
  number: z.string(),
  by: z.number().nullable(),
});
