import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { optinTypes } from '../rules.ts';
import { textEncodingKeys } from './encodings.ts';
import { importStates, rowOutcomes, type SkipReason, skipReasons } from './rules.ts';

const reasons = Object.keys(skipReasons) as [SkipReason, ...SkipReason[]];

/**
 * The target of each column, in order: a key of `importTargets`, `field:<key>`, or null for none.
 */
export const mapping = z.array(z.string().max(80).nullable()).max(200);

export const options = z.object({
  existing: z.enum(['update', 'skip']).default('update').meta({
    description:
      'What happens to existing contacts: they’re updated (an empty cell changes nothing), or they’re kept unchanged',
  }),
  groupIds: z.array(id).max(50).default([]).meta({ description: 'Every row joins these groups' }),
  newGroup: z
    .string()
    .trim()
    .max(80)
    .nullable()
    .default(null)
    .meta({ description: 'Also this group, created if there’s none with that name' }),
  labelIds: z.array(id).max(50).default([]),
  optinType: z
    .enum(optinTypes)
    .nullable()
    .default(null)
    .meta({ description: 'How the new contacts in this file agreed to be texted' }),
  optinSource: z.string().trim().max(300).default(''),
});

export type ImportOptions = z.infer<typeof options>;

export const counts = {
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  noted: z.number().meta({ description: 'Imported, without values that couldn’t be read' }),
};

export const contactImport = z.object({
  id,
  companyId: id,
  batchId: z
    .string()
    .nullable()
    .meta({ description: 'Of the newest job: the import, or its undo' }),
  state: z.enum(importStates),
  fileName: z.string(),
  format: z.enum(['csv', 'xlsx']),
  encoding: z.enum(textEncodingKeys).nullable().meta({
    description: 'How the text of the file was read; null for a workbook',
  }),
  bytes: z.number(),
  rows: z.number(),
  headers: z.array(z.string()),
  sample: z.array(z.object({ row: z.number(), cells: z.array(z.string()) })),
  mapping,
  mappingFrom: z.enum(['remembered', 'guessed']),
  options,
  processed: z.number(),
  ...counts,
  skippedBy: z.record(z.string(), z.number()),
  failure: z.string().nullable(),
  resultUrl: z
    .string()
    .nullable()
    .meta({ description: 'Every row with its result. Kept for 30 days' }),
  mistakesUrl: z.string().nullable().meta({
    description:
      'The rows with errors, as in the file, with the reason; fix them and import this file',
  }),
  filesUntil: instant.nullable(),
  canUndoUntil: instant.nullable(),
  undone: z.object({ removed: z.number(), restored: z.number(), kept: z.number() }).nullable(),
  createdBy: z.object({ id, name: z.string() }).nullable(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  undoneAt: instant.nullable(),
});

export type ContactImport = z.infer<typeof contactImport>;

export const previewRow = z.object({
  row: z
    .number()
    .meta({ description: 'Numbered as in a spreadsheet: the first row under the headers is 2' }),
  outcome: z.enum(rowOutcomes),
  reason: z.enum(reasons).nullable(),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'What is wrong or was skipped, in a sentence' }),
  name: z.string(),
  number: z.string(),
  contactId: id.nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
});

export type PreviewRow = z.infer<typeof previewRow>;
