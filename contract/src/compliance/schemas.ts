import { z } from 'zod';
import { id, instant } from '../schemas.ts';

/** A §3 Block with its A5.2 meanings. `target` is E.164, a short code,
 * a sender name, `anonymous`, or a prefix such as `+1900*`. */
export const block = z.object({
  id,
  global: z
    .boolean()
    .meta({ description: 'Platform-wide; only platform staff in admin mode can create one' }),
  target: z.string(),
  action: z
    .union([z.literal(0), z.literal(1)])
    .meta({ description: '1 block, 0 allow (an exception)' }),
  company_id: id,
  number_id: id.nullable().meta({ description: 'null: every number in the company' }),
  contact: z.object({ id, name: z.string() }).nullable(),
  created_at: instant,
  created_by: z.object({ id, name: z.string() }).nullable(),
});
