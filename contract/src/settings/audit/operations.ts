import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, listQuery, one, pageOf } from '../../schemas.ts';
import { auditEntry, auditEntryDetail, auditFilters } from './schemas.ts';

const entryExample = {
  id: 4410,
  at: '2026-11-21T09:15:04.000Z',
  actor: { kind: 'user', id: 9, name: 'Ann Fox' },
  action: 'user.updated',
  group: 'access' as const,
  sentence: 'changed a user',
  subject: 'user:12',
  subject_name: 'Dana Reed',
  change: null,
  ip: '203.0.113.7',
  impersonated_by: null,
  reason: null,
};

export const listAuditLog = operation({
  summary:
    'List changes, newest first. Billing sees those that concern money, users their own. `meta.next_cursor` continues',
  params: z.object({ companyId: id }),
  paged: true,
  query: listQuery(auditFilters, { perPage: 50 }),
  answer: pageOf(auditEntry),
  example: {
    params: { companyId: 7300412 },
    query: { group: 'access', perPage: 50 },
    answer: { data: [entryExample] },
  },
});

export const getAuditEntry = operation({
  summary: 'Get one change with the values before and after, and where it came from',
  params: z.object({ companyId: id, entryId: id }),
  answer: one(auditEntryDetail),
  errors: ['not_found'],
  example: {
    params: { companyId: 7300412, entryId: 4410 },
    answer: {
      data: {
        ...entryExample,
        before: { role: 'user' },
        after: { role: 'administrator' },
        user_agent: 'Mozilla/5.0',
        session_id: 511,
        request_id: 'req-81',
      },
    },
  },
});

export const exportAuditLog = operation({
  summary:
    'Export the changes that match the filters, newest first, with the values before and after. Runs as a job',
  limit: 'exports',
  status: 202,
  errors: ['export.too_large', 'role.forbidden'],
  params: z.object({ companyId: id }),
  body: z.object({
    ...auditFilters,
    tz: z.string().max(60).default('UTC'),
    format: z.enum(['csv', 'jsonl']).default('csv'),
  }),
  answer: one(z.object({ batchId: z.uuid(), status: z.literal('queued'), total: z.number() })),
  example: {
    params: { companyId: 7300412 },
    body: { group: 'access', tz: 'America/New_York', format: 'csv' },
    answer: {
      data: {
        batchId: '0199a8f0-0000-7000-8000-000000000001',
        status: 'queued' as const,
        total: 120,
      },
    },
  },
});
