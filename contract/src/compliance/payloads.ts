import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { optOutSources } from './rules.ts';

const blockEventData = z.object({
  blockId: id,
  target: z.string(),
  action: z.union([z.literal(0), z.literal(1)]),
  numberId: id.nullable(),
  global: z.boolean(),
  byUserId: id.nullable(),
  byName: z.string(),
});

export const blockAdded = blockEventData;

export const blockRemoved = blockEventData;

/**
 * `number`: the other party's; an opt-out applies to the whole company. `numberId`: our number that
 * received the text, if any.
 */
const optOutEventData = z.object({
  number: z.string(),
  numberId: id.nullable(),
  source: z.enum(optOutSources),
  at: instant,
});

export const contactOptedOut = optOutEventData;

export const contactOptedIn = optOutEventData;

export const optOutSynced = z.object({ number: z.string(), optedOutAt: instant.nullable() });

export const optOutsSynced = z.object({
  rows: z.array(z.object({ number: z.string(), optedOutAt: instant.nullable() })),
});
