import { z } from 'zod';
import { id } from '../../schemas.ts';
import { liveStates } from './rules.ts';

export const liveCallChanged = z.object({
  callId: id,
  numberId: id,
  state: z.enum(liveStates).nullable().meta({ description: 'null: the call has ended' }),
  slot: z.number().nullable(),
});
