import { z } from 'zod';
import { instant } from '../schemas.ts';

/** An archive of the company: being made, ready, failed, or no longer kept. */
export const companyArchive = z.object({
  id: z.uuid(),
  state: z.enum(['running', 'ready', 'failed', 'expired']),
  progress: z.number().meta({ description: 'Percent' }),
  requested_by: z.string().meta({ description: 'Name of the user' }),
  requested_at: instant,
  finished_at: instant.nullable(),
  file: z
    .object({ name: z.string(), bytes: z.number(), rows: z.number(), until: instant })
    .nullable()
    .meta({ description: 'Null until it is ready' }),
  url: z
    .string()
    .nullable()
    .meta({ description: 'Signed; only for the user who requested it, until `file.until`' }),
});
export type CompanyArchive = z.infer<typeof companyArchive>;
