import { z } from 'zod';
import { optinTypes, contactSelection } from './contacts.ts';
import { maxRows, rowOutcomes, skipReasons, type SkipReason } from './importing-rules.ts';
import { companyIn, endpoint, event, id, instant, listQuery, one, pageOf } from './kit.ts';

/** Taking contacts in from files and giving them out as files. Module: contacts. */

export const importStates = [
  'uploaded',
  'running',
  'finished',
  'failed',
  'undoing',
  'undone',
] as const;
const reasons = Object.keys(skipReasons) as [SkipReason, ...SkipReason[]];
/** For each column of the file, in order, where it goes: a target of `importTargets`, `field:` and a custom field's key, or null. */
const mapping = z.array(z.string().max(80).nullable()).max(200);
const options = z.object({
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
const counts = {
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

const at = '2026-11-21T09:15:04.000Z';
const batchId = '0199a8f0-0000-7000-8000-000000000001';
const importExample: ContactImport = {
  id: 9,
  companyId: 1,
  batchId: null,
  state: 'uploaded',
  fileName: 'customers.csv',
  format: 'csv',
  bytes: 1840,
  rows: 25,
  headers: ['Full name', 'Phone', 'Email'],
  sample: [{ row: 2, cells: ['Dana Reed', '(212) 555-0147', 'dana@example.com'] }],
  mapping: ['name', 'number', 'email'],
  mappingFrom: 'guessed',
  options: {
    existing: 'update',
    groupIds: [],
    newGroup: null,
    labelIds: [],
    optinType: null,
    optinSource: '',
  },
  processed: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  noted: 0,
  skippedBy: {},
  failure: null,
  resultUrl: null,
  mistakesUrl: null,
  filesUntil: null,
  canUndoUntil: null,
  undone: null,
  createdBy: { id: 5, name: 'Una User' },
  createdAt: at,
  startedAt: null,
  finishedAt: null,
  undoneAt: null,
};
const finished: ContactImport = {
  ...importExample,
  batchId,
  state: 'finished',
  processed: 25,
  created: 20,
  updated: 3,
  skipped: 2,
  skippedBy: { invalid_number: 2 },
  resultUrl: '/api/files/31?company=1&expires=1793266200&signature=abc',
  filesUntil: '2026-12-21T09:15:09.000Z',
  canUndoUntil: '2026-11-22T09:15:09.000Z',
  startedAt: at,
  finishedAt: '2026-11-21T09:15:09.000Z',
};
const companyId = z.object({ companyId: id });
const importId = z.object({ companyId: id, importId: id });
const params = { companyId: 1, importId: 9 };

export const uploadContactImport = endpoint({
  name: 'uploadContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports',
  summary: `Upload a CSV or XLSX file of contacts (first sheet, up to ${maxRows.toLocaleString('en-US')} rows and 20 MB) and get a suggested column mapping. Nothing is imported yet`,
  permission: 'contacts.bulk',
  company: 'path',
  status: 201,
  multipart: true,
  params: companyId,
  body: z.object({
    file: z.unknown().optional().meta({ description: 'The file, as multipart', format: 'binary' }),
    ...companyIn,
  }),
  refusals: ['import.bad_file', 'import.too_many_rows'],
  answer: one(contactImport),
  example: { params: { companyId: 1 }, body: {}, answer: { data: importExample } },
});
export const listContactImports = endpoint({
  name: 'listContactImports',
  method: 'GET',
  path: '/companies/{companyId}/contacts/imports',
  summary: 'List imports, newest first',
  permission: 'contacts.bulk',
  company: 'path',
  paged: true,
  params: companyId,
  query: listQuery({ state: z.enum(importStates).optional() }, { perPage: 10 }),
  answer: pageOf(contactImport),
  example: { params: { companyId: 1 }, answer: { data: [finished] } },
});
export const getContactImport = endpoint({
  name: 'getContactImport',
  method: 'GET',
  path: '/companies/{companyId}/contacts/imports/{importId}',
  summary: 'Get one import: its file, columns, progress and results',
  permission: 'contacts.bulk',
  company: 'path',
  params: importId,
  answer: one(contactImport),
  example: { params, answer: { data: finished } },
});

const previewRow = z.object({
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
export const checkContactImport = endpoint({
  name: 'checkContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/check',
  summary: 'Preview an import row by row, without running it',
  permission: 'contacts.bulk',
  company: 'path',
  status: 200,
  refusals: ['import.no_columns', 'import.begun', 'role.forbidden'],
  params: importId,
  body: z.object({ mapping: mapping.optional(), options: options.optional(), ...companyIn }),
  answer: one(
    z.object({
      rows: z.number(),
      ...counts,
      skippedBy: z.record(z.string(), z.number()),
      optedOut: z
        .number()
        .meta({ description: 'Rows with an opted-out number; it stays opted out' }),
      newGroups: z.array(z.string()),
      newLabels: z.array(z.string()),
      problems: z.array(previewRow).meta({ description: 'The first 500 rows with errors' }),
      examples: z
        .array(previewRow)
        .meta({ description: 'A few rows of each outcome, with what would change' }),
      mistakesUrl: z.string().nullable(),
    }),
  ),
  example: {
    params,
    body: { mapping: ['name', 'number', 'email'] },
    answer: {
      data: {
        rows: 25,
        created: 20,
        updated: 3,
        unchanged: 0,
        skipped: 2,
        noted: 0,
        skippedBy: { invalid_number: 2 },
        optedOut: 1,
        newGroups: [],
        newLabels: [],
        problems: [
          {
            row: 7,
            outcome: 'skipped',
            reason: 'invalid_number',
            problem: skipReasons.invalid_number,
            name: 'Bo',
            number: '12',
            contactId: null,
            changes: [],
          },
        ],
        examples: [],
        mistakesUrl: null,
      },
    },
  },
});
export const startContactImport = endpoint({
  name: 'startContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/start',
  summary: 'Import the file. Runs as a job, with live progress',
  permission: 'contacts.bulk',
  company: 'path',
  status: 202,
  refusals: ['import.no_columns', 'import.begun'],
  params: importId,
  body: z.object({ mapping: mapping.optional(), options: options.optional(), ...companyIn }),
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: {
    params,
    body: { mapping: ['name', 'number', 'email'] },
    answer: { data: { batchId, status: 'queued', total: 25 } },
  },
});
export const undoContactImport = endpoint({
  name: 'undoContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/undo',
  summary:
    'Undo an import within 24 hours: restore updated contacts and remove new ones that no one has called, texted or edited. Opt-outs stay',
  permission: 'contacts.bulk',
  company: 'path',
  status: 202,
  refusals: ['import.cannot_undo'],
  params: importId,
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: { params, answer: { data: { batchId, status: 'queued', total: 25 } } },
});
export const contactsProgress = endpoint({
  name: 'contactsProgress',
  method: 'GET',
  path: '/companies/{companyId}/contacts/progress/{batchId}',
  summary: 'Get the progress of a contact job: an import, its undo, or an export',
  permission: 'contacts.bulk',
  company: 'path',
  params: z.object({ companyId: id, batchId: z.uuid() }),
  answer: one(
    z.object({
      id: z.string(),
      progress: z.number().meta({ description: '0 to 100' }),
      finishedAt: instant.nullable(),
      total: z.number(),
      processed: z.number(),
      failed: z.number(),
      resultUrl: z.string().nullable(),
      errors: z
        .array(z.object({ row: z.number(), field: z.string(), message: z.string() }))
        .meta({ description: 'The first 100' }),
    }),
  ),
  example: {
    params: { companyId: 1, batchId },
    answer: {
      data: {
        id: batchId,
        progress: 60,
        finishedAt: null,
        total: 25,
        processed: 15,
        failed: 1,
        resultUrl: null,
        errors: [{ row: 7, field: 'number', message: skipReasons.invalid_number }],
      },
    },
  },
});

const progress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});
const jobs = ['contactsProgress', 'getContactImport', 'listContactImports'];
export const contactImportProgressed = event({
  name: 'contact-import-progress',
  channel: 'companies',
  data: progress,
  touches: jobs,
});
/** `resultUrl` is the screen with the files: the files' own addresses open without a session and go only to those who may import. */
export const contactImportCompleted = event({
  name: 'contact-import-completed',
  channel: 'companies',
  data: progress.extend({
    resultUrl: z.string().nullable(),
    failure: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Why the whole job failed; absent or null if it succeeded' }),
  }),
  touches: jobs,
});
/** A file was read, an undo began: lists of imports are stale. */
export const contactImportChanged = event({
  name: 'contact_import.changed',
  channel: 'companies',
  data: z.object({ importId: id, state: z.enum(importStates) }),
  touches: jobs,
});
/** Numbers that a file says opted out, and that were not known to. */
export const importOptOutsFound = event({
  name: 'contact_import.opted_out',
  channel: null,
  data: z.object({ importId: id, numbers: z.array(z.string()).max(1000) }),
});

/** Columns of a contacts export; a custom field is `field:` and its key. Left out: all that can be imported again. */
const exportBody = z.object({
  ...contactSelection,
  columns: z.array(z.string().max(80)).min(1, 'Choose at least one column.').max(200).optional(),
  format: z.enum(['csv', 'xlsx', 'jsonl']).default('csv'),
  tz: z.string().max(60).default('UTC'),
  ...companyIn,
});
export const exportContacts = endpoint({
  name: 'exportContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulkExport',
  summary:
    'Export contacts as a file that can be imported again: selected ones, or all that match the filters. Runs as a job; poll contacts/progress or exports/progress',
  permission: 'contacts.bulk',
  company: 'path',
  status: 202,
  limit: 'exports',
  refusals: ['export.too_large'],
  params: companyId,
  body: exportBody,
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: {
    params: { companyId: 1 },
    body: { all: true, filters: { state: 'active' }, columns: ['name', 'number', 'email'] },
    answer: { data: { batchId, status: 'queued', total: 25 } },
  },
});
