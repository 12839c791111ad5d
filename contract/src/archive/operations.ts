import { z } from 'zod';
import { operation } from '../operation.ts';
import { id, one } from '../schemas.ts';
import { companyArchive } from './schemas.ts';

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
          url: '/api/files/7?company=7300412&expires=1&signature=x',
        },
      ],
    },
  },
});
