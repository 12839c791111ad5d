import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { scopes } from '../scopes.ts';

export const personalAccessToken = z.object({
  id,
  name: z.string(),
  prefix: z.string().meta({ description: 'How the token begins, to recognize it' }),
  scopes: z.array(z.enum(scopes)),
  user: z.object({ id, name: z.string() }),
  mine: z.boolean(),
  last_used_at: instant.nullable(),
  last_used_ip: z.string().nullable(),
  expires_at: instant.nullable(),
  created_at: instant,
});
export type PersonalAccessToken = z.infer<typeof personalAccessToken>;
