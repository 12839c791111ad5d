import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { sortDirections } from '../../sort-direction.ts';
import { presetEntities } from './rules.ts';

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

export const sort = z.object({ field: z.string().max(80), dir: z.enum(sortDirections) });

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
