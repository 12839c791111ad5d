import { z } from 'zod';
import { companyIn, endpoint, id, instant } from './kit.ts';
import { item } from './conversations.ts';

/** Everything with one person (A11), from every number and every channel. Module: conversations, which knows most of it. */
export const contactEventKinds = ['added', 'opted_out', 'opted_in', 'merged', 'note'] as const;
const at = '2026-11-21T09:15:04.000Z';
/** `item`: as its conversation shows it. The others are what happened to the contact itself. */
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
export const contactTimeline = endpoint({
  name: 'contactTimeline',
  method: 'GET',
  path: '/contacts/{contactId}/timeline',
  summary:
    'List everything that happened with a person, newest first: calls, texts, voicemails, faxes, notes, blocks, opt-outs and merges, for the numbers you can see',
  permission: 'contacts.view',
  company: 'object',
  object: { table: 'contact', param: 'contactId' },
  params: z.object({ contactId: id }),
  query: z.object({
    perPage: z.coerce.number<number>().int().min(1).max(100).default(25),
    cursor: z.string().max(200).optional(),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(timelineEntry),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
  example: {
    params: { contactId: 77 },
    answer: {
      data: [
        {
          id: 'added:77',
          kind: 'added',
          at,
          item: null,
          number: null,
          text: 'Manual',
          by: '',
          note: '',
          mergeId: null,
          undoneAt: null,
        },
      ],
      meta: { next_cursor: null },
    },
  },
});
