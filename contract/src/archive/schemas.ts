import { z } from 'zod';
import { id, instant } from '../schemas.ts';

/** An archive of the company: being made, ready, failed, or no longer kept. */
export const companyArchive = z.object({
  id: z.uuid(),
  state: z.enum(['running', 'ready', 'failed', 'expired', 'deleted']),
  progress: z.number().meta({ description: 'Percent' }),
  requested_by: z.string().meta({ description: 'Name of the user' }),
  requested_at: instant,
  finished_at: instant.nullable(),
  file: z
    .object({ name: z.string(), bytes: z.number(), rows: z.number(), until: instant })
    .nullable()
    .meta({ description: 'Null until it is ready' }),
  url: z.string().nullable().meta({
    description:
      'Only for the user who requested it, until `file.until`: fetched with their session or key, as long as they may read it',
  }),
});

/** A file that a person exported, until it is deleted. */
export const exportedFile = z.object({
  id,
  name: z.string(),
  bytes: z.number(),
  made_by: z.object({ id, name: z.string() }),
  made_at: instant,
  until: instant.meta({ description: 'When it is deleted' }),
  url: z.string().nullable().meta({
    description:
      'Where its bytes are, for the person who made it, as long as they may read all that is in it: with their session or key. Null: not for you',
  }),
});
