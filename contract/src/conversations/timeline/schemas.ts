import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { item } from '../schemas.ts';
import { contactEventKinds } from './rules.ts';

/** `item`: a conversation item. The others are events of the contact. */
export const timelineEntry = z.object({
  id: z.string(),
  kind: z.union([z.literal('item'), z.enum(contactEventKinds)]),
  at: instant,
  item: item.nullable(),
  number: z.string().nullable().meta({ description: 'The person’s number this is about, if any' }),
  text: z.string(),
  by: z.string(),
  note: z.string().meta({ description: 'The note recorded with an opt-out or opt-in' }),
  mergeId: id.nullable().meta({ description: 'For a merge: the ID to undo it' }),
  undoneAt: instant.nullable(),
});

export type TimelineEntry = z.infer<typeof timelineEntry>;
