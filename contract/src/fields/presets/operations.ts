import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../schemas.ts';
import { presetEntities } from './rules.ts';
import { columnPreset, type ColumnPreset, presetColumn, sort } from './schemas.ts';

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

export const listColumnPresets = operation({
  summary: 'List your column presets and those teammates share',
  query: z.object({
    entity: z.enum(presetEntities).optional(),
    search: z.string().trim().max(100).optional(),
    ...companyIn,
  }),
  answer: z.object({ data: z.array(columnPreset) }),
  example: { query: { entity: 'numbers' }, answer: { data: [example] } },
});

export const createColumnPreset = operation({
  summary: 'Save the columns of a list as a preset',
  status: 201,
  body: presetIn
    .partial()
    .required({ name: true, columns: true })
    .extend({ entity: z.enum(presetEntities, 'Choose a list.'), ...companyIn }),
  answer: one(columnPreset),
  errors: ['preset.exists'],
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

export const getColumnPreset = operation({
  summary: 'Get one column preset',
  object,
  params: ofPreset,
  query: z.object({ ...companyIn }),
  answer: one(columnPreset),
  example: { ...anId, answer: { data: example } },
});

export const updateColumnPreset = operation({
  summary:
    'Update one of your presets; for a shared one, anyone can set whether it’s their own default',
  object,
  etagOf: 'getColumnPreset',
  params: ofPreset,
  body: presetIn.partial().extend(companyIn),
  answer: one(columnPreset),
  errors: ['preset.exists', 'preset.not_yours'],
  example: {
    ...anId,
    body: { name: 'For the front desk', shared: true },
    answer: { data: { ...example, shared: true } },
  },
});

export const deleteColumnPreset = operation({
  summary: 'Delete one of your presets',
  object,
  params: ofPreset,
  query: z.object({ ...companyIn }),
  answer: empty,
  status: 204,
  errors: ['preset.not_yours'],
  example: anId,
});
