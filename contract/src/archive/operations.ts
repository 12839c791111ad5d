import { z } from 'zod';
import { operation } from '../operation.ts';
import { empty, id, one } from '../schemas.ts';
import { companyArchive, exportedFile } from './schemas.ts';

const batchId = '0199a8f0-0000-7000-8000-000000000001';

export const startArchive = operation({
  summary:
    'Archive the whole company as one ZIP file: its tables, lists for spreadsheets, and media. Runs as a job; needs your password again',
  limit: 'exports',
  status: 202,
  errors: ['archive.running'],
  params: z.object({ companyId: id }),
  body: z.object({ password: z.string().min(1, 'Enter your password.').max(1000) }),
  answer: one(z.object({ batchId: z.uuid(), status: z.literal('queued'), total: z.number() })),
  example: {
    params: { companyId: 7300412 },
    body: { password: 'trunkline-demo' },
    answer: { data: { batchId, status: 'queued' as const, total: 0 } },
  },
});

export const listArchives = operation({
  summary: 'List the archives of the last 90 days, newest first',
  params: z.object({ companyId: id }),
  answer: z.object({ data: z.array(companyArchive) }),
  example: {
    params: { companyId: 7300412 },
    answer: {
      data: [
        {
          id: batchId,
          state: 'ready' as const,
          progress: 100,
          requested_by: 'Ann Fox',
          requested_at: '2026-11-21T09:15:04.000Z',
          finished_at: '2026-11-21T09:17:31.000Z',
          file: {
            name: 'harbor-dental-2026-11-21.zip',
            bytes: 48_211_903,
            rows: 120_422,
            until: '2026-11-22T09:17:31.000Z',
          },
          url: '/api/companies/7300412/exports/48213380031/file',
        },
      ],
    },
  },
});

export const deleteArchive = operation({
  summary: 'Delete an archive: its link stops at once, its bytes are gone',
  status: 204,
  params: z.object({ companyId: id, archiveId: z.uuid() }),
  answer: empty,
  errors: ['archive.running'],
  example: { params: { companyId: 7300412, archiveId: batchId } },
});

const exportExample = {
  id: 48213380031,
  name: 'messages-2026-11-21.csv',
  bytes: 481_219,
  made_by: { id: 2, name: 'Ann Fox' },
  made_at: '2026-11-21T09:17:31.000Z',
  until: '2026-11-22T09:17:31.000Z',
  url: '/api/companies/7300412/exports/48213380031/file',
};
const ofExport = z.object({ companyId: id, fileId: id });

export const listExports = operation({
  summary:
    'List the files that were exported and are still kept, newest first: your own, or everyone’s for those who may export the company',
  params: z.object({ companyId: id }),
  answer: z.object({ data: z.array(exportedFile) }),
  example: { params: { companyId: 7300412 }, answer: { data: [exportExample] } },
});

export const getExport = operation({
  summary: 'Get an exported file’s name and link',
  params: ofExport,
  answer: one(exportedFile),
  example: {
    params: { companyId: 7300412, fileId: 48213380031 },
    answer: { data: exportExample },
  },
});

export const downloadExport = operation({
  summary:
    'Get an exported file’s bytes or an archive’s. Only the person it was made for gets it, and only while they may read all that is in it: a lost role, number or permission, a network or a required second factor refuse it at once',
  params: ofExport,
  answer: z.unknown(),
  binary: true,
  limit: 'none',
  errors: ['file.not_here'],
  example: { params: { companyId: 7300412, fileId: 48213380031 } },
});

export const deleteExport = operation({
  summary:
    'Delete an exported file: your own, or anyone’s for those who may export the company. Its link stops at once',
  status: 204,
  params: ofExport,
  answer: empty,
  example: { params: { companyId: 7300412, fileId: 48213380031 } },
});
