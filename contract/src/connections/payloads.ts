import { z } from 'zod';
import { id } from '../schemas.ts';

/** An account was connected, or disconnected. */
export const connectionChanged = z.object({
  connectionId: id,
  provider: z.string(),
  connected: z.boolean(),
});
