import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import { contactSelection } from '../schemas.ts';
import { textEncodingKeys } from './encodings.ts';
import { importStates, maxRows, skipReasons } from './rules.ts';
import {
  contactImport,
  type ContactImport,
  counts,
  mapping,
  options,
  previewRow,
} from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const batchId = '0199a8f0-0000-7000-8000-000000000001';

const importExample: ContactImport = {
  id: 9,
  companyId: 1,
  batchId: null,
  state: 'uploaded',
  fileName: 'customers.csv',
  format: 'csv',
  encoding: 'utf-8',
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

export const uploadContactImport = operation({
  summary: `Upload a CSV or XLSX file of contacts (first sheet, up to ${maxRows.toLocaleString('en-US')} rows and 20 MB) and get a suggested column mapping. Nothing is imported yet`,
  status: 201,
  params: companyId,
  body: z.object({
    file: z.unknown().optional().meta({ description: 'The file, as multipart', format: 'binary' }),
    encoding: z
      .enum(textEncodingKeys)
      .optional()
      .meta({ description: 'How its text is read; guessed when left out' }),
    ...companyIn,
  }),
  errors: ['import.bad_file', 'import.too_many_rows'],
  answer: one(contactImport),
  example: { params: { companyId: 1 }, body: {}, answer: { data: importExample } },
});

export const listContactImports = operation({
  summary: 'List imports, newest first',
  paged: true,
  params: companyId,
  query: listQuery({ state: z.enum(importStates).optional() }, { perPage: 10 }),
  answer: pageOf(contactImport),
  example: { params: { companyId: 1 }, answer: { data: [finished] } },
});

export const getContactImport = operation({
  summary: 'Get one import: its file, columns, progress and results',
  params: importId,
  answer: one(contactImport),
  example: { params, answer: { data: finished } },
});

export const checkContactImport = operation({
  summary: 'Preview an import row by row, without running it',
  status: 200,
  errors: ['import.no_columns', 'import.begun', 'role.forbidden'],
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

export const startContactImport = operation({
  summary: 'Import the file. Runs as a job, with live progress',
  status: 202,
  errors: ['import.no_columns', 'import.begun'],
  params: importId,
  body: z.object({ mapping: mapping.optional(), options: options.optional(), ...companyIn }),
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: {
    params,
    body: { mapping: ['name', 'number', 'email'] },
    answer: { data: { batchId, status: 'queued', total: 25 } },
  },
});

export const undoContactImport = operation({
  summary:
    'Undo an import within 24 hours: restore updated contacts and remove new ones that no one has called, texted or edited. Opt-outs stay',
  status: 202,
  errors: ['import.cannot_undo'],
  params: importId,
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: { params, answer: { data: { batchId, status: 'queued', total: 25 } } },
});

export const contactsProgress = operation({
  summary: 'Get the progress of a contact job: an import, its undo, or an export',
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

/**
 * Columns of a contacts export; a custom field is `field:<key>`. Default: all columns that can be
 * imported.
 */
const exportBody = z.object({
  ...contactSelection,
  columns: z.array(z.string().max(80)).min(1, 'Choose at least one column.').max(200).optional(),
  format: z.enum(['csv', 'xlsx', 'jsonl']).default('csv'),
  tz: z.string().max(60).default('UTC'),
  ...companyIn,
});

export const exportContacts = operation({
  summary:
    'Export contacts as a file that can be imported again: selected ones, or all that match the filters. Runs as a job; poll contacts/progress or exports/progress',
  status: 202,
  limit: 'exports',
  errors: ['export.too_large'],
  params: companyId,
  body: exportBody,
  answer: one(z.object({ batchId: z.string(), status: z.literal('queued'), total: z.number() })),
  example: {
    params: { companyId: 1 },
    body: { all: true, filters: { state: 'active' }, columns: ['name', 'number', 'email'] },
    answer: { data: { batchId, status: 'queued', total: 25 } },
  },
});
