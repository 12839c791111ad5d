import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id } from '../../schemas.ts';
import { timelineEntry } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

export const contactTimeline = operation({
  summary:
    'List everything that happened with a person, newest first: calls, texts, voicemails, faxes, notes, blocks, opt-outs and merges, for the numbers you can see',
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
