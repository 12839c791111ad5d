import { z } from 'zod';
import { id } from '../schemas.ts';

export const contactChanged = z.object({
  contactId: id,
  name: z.string(),
  number: z.string(),
  added: z.boolean(),
  changed: z.array(z.string()),
});

export const contactsChanged = z.object({
  what: z.enum([
    'added',
    'updated',
    'deleted',
    'restored',
    'grouped',
    'ungrouped',
    'labelled',
    'unlabelled',
    'merged',
    'unmerged',
  ]),
  count: z.number(),
  contactId: id.optional(),
  batchId: z.uuid().optional(),
});

export const contactActivityRecorded = z.object({ companyId: id });

const bulkProgress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});

export const contactsBulkProgressed = bulkProgress;

export const contactsBulkCompleted = bulkProgress;

export const contactNumbersLinked = z.object({
  rows: z.array(z.object({ contactId: id, number: z.string() })).max(2000),
});
