import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { numberTemplate, type NumberTemplate, patch, settings } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: NumberTemplate = {
  id: 51,
  companyId: 1,
  name: 'Branch office',
  description: 'Rings the front desk, then voicemail',
  routes: {},
  record: true,
  call_transcription_enabled: true,
  ai_eav_enabled: false,
  recording_announcement: 'default',
  recording_announcement_text: null,
  schedule_id: null,
  greeting_id: null,
  voicemail: {
    enabled: true,
    greeting_id: null,
    greeting: null,
    transcribe: true,
    email: [],
    sms_notify: false,
  },
  tags: [],
  sms_enabled: true,
  is_default: false,
  usage_count: 3,
  createdAt: at,
  updatedAt: at,
};

const inCompany = z.object({ companyId: id });

const oneOf = z.object({ companyId: id, id });

export const listNumberTemplates = operation({
  summary: 'List number templates',
  paged: true,
  params: inCompany,
  query: listQuery(
    {
      sort: sortBy('name', 'createdAt', 'updatedAt', 'usage_count'),
      search: z.string().trim().max(100).optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(numberTemplate),
  example: { params: { companyId: 1 }, answer: { data: [example] } },
});

export const createNumberTemplate = operation({
  summary: 'Create a number template',
  status: 201,
  params: inCompany,
  body: patch.extend({ name: settings.name }),
  answer: one(numberTemplate),
  errors: ['template.exists'],
  example: {
    params: { companyId: 1 },
    body: {
      name: 'Branch office',
      record: true,
      routes: [{ extension: 1, type: 'in-app-calling', voicemail_enabled: true }],
    },
    answer: { data: example },
  },
});

export const getNumberTemplate = operation({
  summary: 'Get one number template',
  params: oneOf,
  answer: one(numberTemplate),
  example: { params: { companyId: 1, id: 51 }, answer: { data: example } },
});

export const updateNumberTemplate = operation({
  summary:
    'Update a number template; fields left out stay unchanged. Numbers it was applied to keep their settings, unless `propagate` is set: then a job applies it to them again',
  params: oneOf,
  etagOf: 'getNumberTemplate',
  object: { table: 'number_template', param: 'id' },
  body: patch.extend({
    propagate: flag
      .default(false)
      .meta({ description: 'Also apply it to the `usage_count` numbers' }),
  }),
  errors: ['template.exists'],
  answer: one(
    numberTemplate.extend({
      batch: z
        .object({ batchId: z.uuid(), status: z.literal('queued'), total: z.number() })
        .nullable(),
    }),
  ),
  example: {
    params: { companyId: 1, id: 51 },
    body: { ai_eav_enabled: true, propagate: true },
    answer: {
      data: {
        ...example,
        ai_eav_enabled: true,
        batch: { batchId: '0199a8f0-0000-7000-8000-000000000001', status: 'queued', total: 3 },
      },
    },
  },
});

export const deleteNumberTemplate = operation({
  summary: 'Delete a number template that no number uses',
  status: 204,
  params: oneOf,
  answer: empty,
  errors: ['template.in_use'],
  example: { params: { companyId: 1, id: 51 } },
});
