import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { fieldUpdateStates, updatableTypes } from './rules.ts';

const rowError = z.object({
  row: z
    .number()
    .meta({ description: 'As a spreadsheet counts: the first under the headers is 2' }),
  field: z.string(),
  message: z.string(),
});

const counts = {
  total: z.number(),
  processed: z.number(),
  changed: z.number().meta({ description: 'Rows that changed something' }),
  failed: z.number(),
  errors: z.array(rowError).meta({ description: 'The first 100' }),
};

export const fieldUpdate = z.object({
  id,
  batchId: z.string().meta({ description: 'Of the run, or of its undo' }),
  file: z.object({
    name: z.string(),
    url: z.string().nullable().meta({ description: 'Works 15 minutes; null: no longer kept' }),
  }),
  entityType: z.enum(updatableTypes),
  status: z.enum(fieldUpdateStates),
  progress: z.number().meta({ description: '0 to 100' }),
  ...counts,
  failure: z.string().nullable(),
  undone: z
    .object({ restored: z.number(), kept: z.number() })
    .nullable()
    .meta({ description: 'Values; kept: changed again since, or no longer allowed' }),
  created_by: z.object({ id: id.nullable(), name: z.string() }),
  created_at: instant,
  finished_at: instant.nullable(),
  canUndoUntil: instant.nullable(),
});
export type FieldUpdate = z.infer<typeof fieldUpdate>;

/** A file for several companies of an organization: the sum of one run in each. */
export const organizationFieldUpdate = fieldUpdate.omit({ batchId: true }).extend({
  id: z.uuid(),
  companies: z
    .array(fieldUpdate.extend({ company: z.object({ id, name: z.string() }) }))
    .meta({ description: 'The run in each company, with its part of the file' }),
});
export type OrganizationFieldUpdate = z.infer<typeof organizationFieldUpdate>;

export const template = z.object({
  name: z.string(),
  csv: z.string().meta({
    description: 'Headers; of numbers, tracking pools and the company also their values',
  }),
});
