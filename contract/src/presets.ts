import { z } from 'zod';
import { exportColumns } from './export-columns.ts';
import { companyIn, empty, endpoint, event, flag, id, instant, one } from './kit.ts';

/** Saved column presets (decisions A23). Module: fields. */

/** Lists that have columns. `templates` is ours. */
export const presetEntities = [
  'calls',
  'messages',
  'numbers',
  'contacts',
  'campaigns',
  'voicemails',
  'fax',
  'users',
  'templates',
] as const;
export type PresetEntity = (typeof presetEntities)[number];

/**
 * The columns that each list can have, by key: what its screen shows, and what its rows tell a program.
 * Beside them a custom field of the list's objects, as `eav:<key>`.
 */
export const presetColumnKeys: { readonly [E in PresetEntity]: readonly string[] } = {
  calls: [
    'who',
    'party',
    'outcome',
    'duration',
    'by',
    'ours',
    'sound',
    'when',
    'tags',
    'note',
    'source',
    'sentiment',
    ...Object.keys(exportColumns.calls),
  ],
  messages: [
    'who',
    'party',
    'text',
    'state',
    'ours',
    'when',
    ...Object.keys(exportColumns.messages),
  ],
  voicemails: [
    'who',
    'party',
    'words',
    'ours',
    'sound',
    'when',
    ...Object.keys(exportColumns.voicemails),
  ],
  fax: [
    'who',
    'party',
    'pages',
    'state',
    'open',
    'ours',
    'when',
    ...Object.keys(exportColumns.fax),
  ],
  numbers: [
    'number',
    'label',
    'status',
    'category',
    'kind',
    'place',
    'region',
    'city',
    'routingType',
    'forwardNumber',
    'texts',
    'sms_enabled',
    'sms_verification',
    'verification',
    'tags',
    'record',
    'dni_pool',
    'unread',
    'unread_messages_count',
    'last_call_at',
    'last_message_at',
    'last_used',
    'purchased_at',
    'monthly_price',
    'created_at',
    'id',
    'menu',
  ],
  contacts: [
    'name',
    'number',
    'state',
    'email',
    'companyName',
    'title',
    'address1',
    'address2',
    'city',
    'zip',
    'country',
    'notes',
    'optinType',
    'optinSource',
    'alternativeNames',
    'secondaryEmails',
    'carrier',
    'gender',
    'ageRange',
    'type',
    'source',
    'addedAt',
    'updatedAt',
    'invalid',
    'unsubscribed',
    'groups',
    'labels',
    'id',
  ],
  campaigns: [
    'title',
    'state',
    'status',
    'group',
    'groups',
    'number',
    'number_id',
    'should_be_sent_at',
    'progress',
    'sent_count',
    'delivered_count',
    'undelivered_count',
    'responded_count',
    'unsubscriber_count',
    'skipped_count',
    'failed_count',
    'total_count',
    'credits_used',
    'created_at',
    'updated_at',
    'started_at',
    'finished_at',
    'id',
    'menu',
  ],
  users: ['name', 'email', 'role', 'status', 'numbers', 'seen', 'id'],
  templates: ['name', 'description', 'routes', 'record', 'usage_count', 'updatedAt', 'id', 'do'],
};

export const presetColumn = z.object({
  key: z.string().min(1).max(80),
  width: z
    .number()
    .int()
    .min(40)
    .max(1200)
    .nullable()
    .default(null)
    .meta({ description: 'Pixels; null: the list’s default' }),
  pinned: z.boolean().default(false),
  order: z.number().int().min(0).max(500),
  hidden: z.boolean().default(false).meta({ description: 'Kept in its place, hidden' }),
});
export type PresetColumn = z.infer<typeof presetColumn>;
const sort = z.object({ field: z.string().max(80), dir: z.enum(['asc', 'desc']) });
export const columnPreset = z.object({
  id,
  name: z.string(),
  entity: z.enum(presetEntities),
  columns: z.array(presetColumn),
  sort: sort.nullable(),
  filters: z.record(z.string(), z.unknown()).nullable(),
  shared: z.boolean(),
  is_default: z
    .boolean()
    .meta({ description: 'The default preset for the requesting person’s list' }),
  user_id: id,
  user: z.object({ id, name: z.string() }),
  mine: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
export type ColumnPreset = z.infer<typeof columnPreset>;

const at = '2026-11-21T09:15:04.000Z';
const example: ColumnPreset = {
  id: 81,
  name: 'For the front desk',
  entity: 'numbers',
  columns: [
    { key: 'number', width: 180, pinned: true, order: 0, hidden: false },
    { key: 'label', width: null, pinned: false, order: 1, hidden: false },
  ],
  sort: { field: 'label', dir: 'asc' },
  filters: null,
  shared: false,
  is_default: true,
  user_id: 5,
  user: { id: 5, name: 'Una User' },
  mine: true,
  created_at: at,
  updated_at: at,
};
const anId = { params: { id: 81 } };
const ofPreset = z.object({ id });
const object = { table: 'column_preset', param: 'id' };
const presetIn = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(60, 'At most 60 characters.'),
  columns: z.array(presetColumn).min(1, 'Keep at least one column.').max(200),
  sort: sort.nullable(),
  filters: z.record(z.string().max(80), z.unknown()).nullable(),
  shared: flag.meta({ description: 'Available to everyone in the company' }),
  is_default: flag,
});

export const listColumnPresets = endpoint({
  name: 'listColumnPresets',
  method: 'GET',
  path: '/column-presets',
  summary: 'List your column presets and those teammates share',
  permission: 'columnPresets.edit',
  company: 'given',
  query: z.object({
    entity: z.enum(presetEntities).optional(),
    search: z.string().trim().max(100).optional(),
    ...companyIn,
  }),
  answer: z.object({ data: z.array(columnPreset) }),
  example: { query: { entity: 'numbers' }, answer: { data: [example] } },
});
export const createColumnPreset = endpoint({
  name: 'createColumnPreset',
  method: 'POST',
  path: '/column-presets',
  summary: 'Save the columns of a list as a preset',
  permission: 'columnPresets.edit',
  company: 'given',
  status: 201,
  body: presetIn
    .partial()
    .required({ name: true, columns: true })
    .extend({ entity: z.enum(presetEntities, 'Choose a list.'), ...companyIn }),
  answer: one(columnPreset),
  refusals: ['preset.exists'],
  example: {
    body: {
      name: 'For the front desk',
      entity: 'numbers',
      columns: [
        { key: 'number', width: 180, pinned: true, order: 0 },
        { key: 'label', order: 1 },
      ],
      is_default: true,
    },
    answer: { data: example },
  },
});
export const getColumnPreset = endpoint({
  name: 'getColumnPreset',
  method: 'GET',
  path: '/column-presets/{id}',
  summary: 'Get one column preset',
  permission: 'columnPresets.edit',
  company: 'object',
  object,
  params: ofPreset,
  query: z.object({ ...companyIn }),
  answer: one(columnPreset),
  example: { ...anId, answer: { data: example } },
});
export const updateColumnPreset = endpoint({
  name: 'updateColumnPreset',
  method: 'PUT',
  path: '/column-presets/{id}',
  summary:
    'Update one of your presets; for a shared one, anyone can set whether it’s their own default',
  permission: 'columnPresets.edit',
  company: 'object',
  object,
  etagOf: 'getColumnPreset',
  params: ofPreset,
  body: presetIn.partial().extend(companyIn),
  answer: one(columnPreset),
  refusals: ['preset.exists', 'preset.not_yours'],
  example: {
    ...anId,
    body: { name: 'For the front desk', shared: true },
    answer: { data: { ...example, shared: true } },
  },
});
export const deleteColumnPreset = endpoint({
  name: 'deleteColumnPreset',
  method: 'DELETE',
  path: '/column-presets/{id}',
  summary: 'Delete one of your presets',
  permission: 'columnPresets.edit',
  company: 'object',
  object,
  params: ofPreset,
  query: z.object({ ...companyIn }),
  answer: empty,
  status: 204,
  refusals: ['preset.not_yours'],
  example: anId,
});
export const columnPresetsChanged = event({
  name: 'column-presets-changed',
  channel: 'companies',
  data: z.object({ companyId: id, presetId: id }),
  touches: ['listColumnPresets', 'getColumnPreset'],
});
