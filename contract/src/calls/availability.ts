import { z } from 'zod';
import { instant } from '../schemas.ts';

/** Why someone isn't rung although they receive calls. */
export const pause = z.object({
  reason: z.enum(['do_not_disturb', 'outside_hours']),
  until: instant
    .nullable()
    .meta({ description: 'When calls ring again; null: when they turn it off, or never' }),
});

export type Pause = z.infer<typeof pause>;

export const availability = z.object({
  do_not_disturb: z.boolean(),
  do_not_disturb_until: instant
    .nullable()
    .meta({ description: 'When it turns off; null: it stays on until you turn it off' }),
  pause: pause.nullable().meta({ description: 'Why calls don’t ring now; null: nothing' }),
});

export type Availability = z.infer<typeof availability>;
