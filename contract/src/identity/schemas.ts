import { z } from 'zod';
import { id } from '../schemas.ts';

/** A3: access 60 minutes, refresh 30 days, rotating. `expires_in` in seconds. */
export const tokens = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
});

export const personBrief = z.object({
  id,
  email: z.string(),
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  timezone: z.string().nullable(),
});
