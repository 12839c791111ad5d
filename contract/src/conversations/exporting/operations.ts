import { z } from 'zod';
import {
  type ColumnOf,
  exportColumns,
  type ExportEntity,
} from '../../fields/presets/export-columns.ts';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, instant, one } from '../../schemas.ts';
import { activityGroups } from '../schemas.ts';

const batchExample = '0199a8f0-0000-7000-8000-000000000001';

const startedExport = one(
  z.object({ batchId: z.uuid(), status: z.literal('queued'), total: z.number() }),
);

const startedExportExample = {
  data: { batchId: batchExample, status: 'queued' as const, total: 5000 },
};

const columnsOf = <E extends ExportEntity>(entity: E) =>
  z
    .array(
      z.enum(
        Object.keys(exportColumns[entity]) as [ColumnOf<E> & string, ...(ColumnOf<E> & string)[]],
        'This column doesn’t exist.',
      ),
    )
    .min(1, 'Choose at least one column.')
    .max(60)
    .optional();

/**
 * `async` is always true: an export is a job. `groups`: the filters of POST /activity; `columns`:
 * in file order. Times are written in the time zone `tz`.
 */
const exportBody = {
  groups: activityGroups,
  tz: z.string().max(60).default('UTC'),
  format: z.enum(['csv', 'xlsx', 'jsonl']).default('csv'),
  async: flag.optional(),
  ...companyIn,
};

const errors = ['export.too_large'] as const;

export const exportCalls = operation({
  summary:
    'Export calls as a file, newest first. Runs as a job that reports its progress and ends with a link. More than 1,000,000 rows are a ZIP of several files',
  limit: 'exports',
  status: 202,
  errors,
  query: z.object({ ...companyIn }),
  body: z.object({ columns: columnsOf('calls'), ...exportBody }),
  answer: startedExport,
  example: {
    body: {
      companyId: 1,
      columns: ['started_at', 'direction', 'number', 'party', 'outcome', 'duration_seconds'],
      tz: 'America/New_York',
      format: 'csv',
      groups: [[{ field: 'at', op: 'gte', value: '2026-11-01' }]],
    },
    answer: startedExportExample,
  },
});

export const exportMessages = operation({
  summary: 'Export messages as a file. Needs exports.make too',
  limit: 'exports',
  status: 202,
  errors: [...errors, 'role.forbidden'],
  query: z.object({ ...companyIn }),
  body: z.object({ columns: columnsOf('messages'), ...exportBody }),
  answer: startedExport,
  example: {
    body: {
      companyId: 1,
      columns: ['at', 'direction', 'party', 'content'],
      tz: 'America/New_York',
      format: 'jsonl',
    },
    answer: startedExportExample,
  },
});

export const exportVoicemails = operation({
  summary: 'Export voicemails as a file, with their transcripts',
  limit: 'exports',
  status: 202,
  errors,
  query: z.object({ ...companyIn }),
  body: z.object({ columns: columnsOf('voicemails'), ...exportBody }),
  answer: startedExport,
  example: { body: { companyId: 1, tz: 'America/New_York' }, answer: startedExportExample },
});

export const exportFaxes = operation({
  summary: 'Export faxes as a file. Needs exports.make too',
  limit: 'exports',
  status: 202,
  errors: [...errors, 'role.forbidden'],
  query: z.object({ ...companyIn }),
  body: z.object({ columns: columnsOf('fax'), ...exportBody }),
  answer: startedExport,
  example: {
    body: { companyId: 1, tz: 'America/New_York', format: 'xlsx' },
    answer: startedExportExample,
  },
});

export const exportProgress = operation({
  summary: 'Get the progress of one of your exports, and its file when it’s ready',
  object: { table: 'batch', param: 'batchId' },
  params: z.object({ batchId: z.uuid() }),
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      id: z.string(),
      progress: z.number(),
      finishedAt: instant.nullable(),
      total: z.number(),
      processed: z.number(),
      failed: z.number(),
      resultUrl: z.string().nullable(),
      errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
      file: z
        .object({
          fileId: id,
          name: z.string(),
          bytes: z.number(),
          rows: z.number(),
          until: instant,
        })
        .nullable(),
    }),
  ),
  example: {
    params: { batchId: batchExample },
    query: { companyId: 1 },
    answer: {
      data: {
        id: batchExample,
        progress: 40,
        finishedAt: null,
        total: 5000,
        processed: 2000,
        failed: 0,
        resultUrl: null,
        errors: [],
        file: null,
      },
    },
  },
});
