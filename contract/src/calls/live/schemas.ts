import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { liveStates, monitorModes } from './rules.ts';

const livePerson = z.object({
  leg: z.string(),
  user_id: id.nullable(),
  label: z.string(),
  number: z.string().nullable(),
  role: z.enum(['outside', 'company']),
  state: z
    .enum(['ringing', 'talking', 'held', 'consulted'])
    .meta({ description: 'consulted: asked before the call is transferred' }),
});

export const liveCall = z.object({
  id,
  company_id: id,
  number: z.object({ id, number: z.string(), label: z.string() }),
  outbound: z.union([z.literal(0), z.literal(1)]),
  party: z.string(),
  contact: z.object({ id, name: z.string() }).nullable(),
  caller_name: z.string().nullable(),
  state: z.enum(liveStates),
  since: instant,
  started_at: instant,
  answered_at: instant.nullable(),
  route: z.string().nullable().meta({ description: 'The call path, in words' }),
  people: z.array(livePerson),
  slot: z.number().nullable(),
  parked_by: z.string().nullable(),
  parked_until: instant.nullable(),
  recording: z.boolean(),
  /** Supervisors on the call; only people who may monitor calls see them. */
  monitors: z.array(z.object({ user_id: id, name: z.string(), mode: z.enum(monitorModes) })),
  rooms: z.boolean().meta({ description: 'This call’s carrier can connect more than two people' }),
});

export type LiveCall = z.infer<typeof liveCall>;
