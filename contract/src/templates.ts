import { z } from 'zod';
import {
  empty,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import { numberTag } from './numbers.ts';
import { route, routesIn } from './routing.ts';

const short = (max: number) => z.string().trim().max(max, `At most ${max} characters.`);
const voicemail = z.object({
  enabled: z.boolean(),
  greeting_id: id.nullable(),
  greeting: z.string().nullable(),
  transcribe: z.boolean(),
  email: z.array(z.string()),
  sms_notify: z.boolean(),
});

/** Settings and routes to give to numbers (A6.4). Applying copies them. */
export const numberTemplate = z.object({
  id,
  companyId: id,
  name: z.string(),
  description: z.string(),
  routes: z
    .record(z.string(), route)
    .meta({ description: 'Keyed by ID; the routes of one template, in order of extension' }),
  record: z.boolean(),
  call_transcription_enabled: z.boolean(),
  ai_eav_enabled: z
    .boolean()
    .meta({ description: 'Needs recording and transcription, so both are turned on with it' }),
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: z.string().nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail,
  tags: z.array(numberTag),
  sms_enabled: z.boolean(),
  is_default: z.boolean().meta({ description: 'Preselected when numbers are bought' }),
  usage_count: z.number().meta({ description: 'Numbers it was last applied to' }),
  createdAt: instant,
  updatedAt: instant,
});
export type NumberTemplate = z.infer<typeof numberTemplate>;

const settings = {
  name: short(120).min(1, 'Enter a name.'),
  description: short(500),
  /** A list, or keyed by id as they are shown: the keys are taken away. */
  routes: z.preprocess(
    (v) => (typeof v === 'object' && v !== null && !Array.isArray(v) ? Object.values(v) : v),
    routesIn,
  ),
  record: flag,
  call_transcription_enabled: flag,
  ai_eav_enabled: flag,
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: short(1000).nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail: z
    .object({
      enabled: flag,
      greeting_id: id.nullable(),
      greeting: short(1000).nullable(),
      transcribe: flag,
      email: z.array(z.email('Enter an email address.').max(254)).max(20, 'At most 20 addresses.'),
      sms_notify: flag,
    })
    .partial(),
  tags: z
    .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
    .max(50),
  sms_enabled: flag,
  is_default: flag,
};
const patch = z.object(settings).partial();
export type NumberTemplatePatch = z.infer<typeof patch>;

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

export const listNumberTemplates = endpoint({
  name: 'listNumberTemplates',
  method: 'GET',
  path: '/companies/{companyId}/numberTemplates',
  summary: 'List number templates',
  permission: 'routing.view',
  company: 'path',
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
export const createNumberTemplate = endpoint({
  name: 'createNumberTemplate',
  method: 'POST',
  path: '/companies/{companyId}/numberTemplates',
  summary: 'Create a number template',
  permission: 'routing.edit',
  company: 'path',
  status: 201,
  params: inCompany,
  body: patch.extend({ name: settings.name }),
  answer: one(numberTemplate),
  refusals: ['template.exists'],
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
export const getNumberTemplate = endpoint({
  name: 'getNumberTemplate',
  method: 'GET',
  path: '/companies/{companyId}/numberTemplates/{id}',
  summary: 'Get one number template',
  permission: 'routing.view',
  company: 'path',
  params: oneOf,
  answer: one(numberTemplate),
  example: { params: { companyId: 1, id: 51 }, answer: { data: example } },
});
export const updateNumberTemplate = endpoint({
  name: 'updateNumberTemplate',
  method: 'PUT',
  path: '/companies/{companyId}/numberTemplates/{id}',
  summary:
    'Update a number template; fields left out stay unchanged. Numbers it was applied to keep their settings, unless `propagate` is set: then a job applies it to them again',
  permission: 'routing.edit',
  company: 'path',
  params: oneOf,
  etagOf: 'getNumberTemplate',
  object: { table: 'number_template', param: 'id' },
  body: patch.extend({
    propagate: flag
      .default(false)
      .meta({ description: 'Also apply it to the `usage_count` numbers' }),
  }),
  refusals: ['template.exists'],
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
export const deleteNumberTemplate = endpoint({
  name: 'deleteNumberTemplate',
  method: 'DELETE',
  path: '/companies/{companyId}/numberTemplates/{id}',
  summary: 'Delete a number template that no number uses',
  permission: 'routing.edit',
  company: 'path',
  status: 204,
  params: oneOf,
  answer: empty,
  refusals: ['template.in_use'],
  example: { params: { companyId: 1, id: 51 } },
});

/**
 * The given rule (B §5): with AI fields on, the update leaves recording and transcription out; the server then forces both on,
 * because AI needs them (A6.4). For screens and clients.
 */
export function templateInput<
  T extends {
    ai_eav_enabled?: boolean | undefined;
    record?: unknown;
    call_transcription_enabled?: unknown;
  },
>(template: T): T | Omit<T, 'record' | 'call_transcription_enabled'> {
  if (!template.ai_eav_enabled) return template;
  const { record: _, call_transcription_enabled: __, ...rest } = template;
  return rest;
}

const lists = ['listNumberTemplates', 'getNumberTemplate'] as const;
export const numberTemplateChanged = event({
  name: 'number_template.changed',
  channel: 'companies',
  data: z.object({ templateId: id, name: z.string(), gone: z.boolean() }),
  touches: lists,
});
/** A template's settings were copied to a number; its routes follow (routing hears this). */
export const templateApplied = event({
  name: 'number_template.applied',
  channel: 'companies',
  data: z.object({
    templateId: id,
    name: z.string(),
    numberId: id,
    number: z.string(),
    by: z.number().nullable(),
  }),
  touches: [...lists, 'getNumber', 'listNumbersDatatable'],
  about: ['numberId'],
});
