import { z } from 'zod';
import { operation } from '../../operation.ts';
import { flag, id, listQuery, pageOf } from '../../schemas.ts';
import { callFoundExample } from './examples.ts';
import { callFound } from './schemas.ts';

export const searchCalls = operation({
  paged: true,
  errors: ['role.forbidden', 'rate.limited'],
  summary:
    'Search calls by transcript, note, tag or caller, newest first. `q`: words (all of them, in any form), "an exact phrase", -without, begin*, speaker:client or speaker:agent before what one side said; digits find phone numbers. Without `q`: the newest transcribed calls. Words that thousands of calls have are looked for in the newest 20,000 calls; `meta.searched_since` says back to when',
  query: listQuery(
    {
      q: z.string().trim().max(300).optional(),
      number_ids: z.array(id).max(500).optional(),
      start: z.iso.date().optional(),
      end: z.iso.date().optional(),
      tz: z.string().max(60).default('UTC'),
      direction: z.enum(['inbound', 'outbound']).optional(),
      outcome: z.coerce.number<number>().int().min(0).max(4).optional(),
      min_duration: z.coerce.number<number>().int().min(0).max(86_400).optional(),
      tags: z.array(z.string().max(50)).max(20).optional(),
      qualified: flag.optional(),
      sources: z
        .array(z.string().max(80))
        .max(50)
        .optional()
        .meta({ description: 'Keys of the sources that calls came from' }),
      phrase_list_ids: z
        .array(id)
        .max(50)
        .optional()
        .meta({ description: 'Calls in which a phrase of any of these lists was said' }),
      format: z.literal('csv').optional().meta({
        description:
          'Instead of a page, export all results (10,000 at most) as a file. `data` is empty; poll `meta.batchId` at GET /exports/progress/{batchId}. Needs exports.make',
      }),
    },
    { perPage: 25 },
  ),
  answer: pageOf(callFound),
  example: {
    query: { companyId: 1, q: '"root canal" speaker:client insurance' },
    answer: {
      data: [callFoundExample],
    },
  },
});
