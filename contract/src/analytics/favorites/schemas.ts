import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

/** What a favorite opens. Only addresses of the app: a shared favorite must lead nowhere else. */
export const favoriteValue = z.object({
  path: z
    .string()
    .max(200)
    .regex(/^\/(?![/\\])[\w/-]*$/, 'Enter an address of this app, such as /analytics/calls.'),
  filters: z.record(z.string().max(80), z.unknown()).default({}),
  columns: z.array(z.string().max(80)).max(60).default([]),
});

export const favoriteReport = z.object({
  id,
  name: z.string(),
  value: z.string().meta({
    description: 'JSON text: `path` of the screen, `filters` as in its address, `columns`',
  }),
  shared: z.boolean(),
  schedule: z.null().meta({ description: 'Favorites aren’t mailed' }),
  user: z.object({ id, name: z.string() }),
  mine: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
export type FavoriteReport = z.infer<typeof favoriteReport>;
