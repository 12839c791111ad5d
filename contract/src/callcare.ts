import { z } from 'zod';
import { call, callExample } from './calls.ts';
import { endpoint, flag, id, listQuery, pageOf } from './kit.ts';

/** Searching calls and what is done with recordings and words later. Module: calls. */

/** The whole record's facts, without what only its own page shows. */
const found = call.pick({
  id: true,
  number: true,
  outbound: true,
  from: true,
  to: true,
  caller_name: true,
  contact: true,
  conversation_id: true,
  status: true,
  outcome: true,
  started_at: true,
  talk_seconds: true,
  duration: true,
  answered_by: true,
  tags: true,
  note: true,
});
const {
  id: exampleId,
  number,
  outbound,
  from,
  to,
  caller_name,
  contact,
  conversation_id,
  status,
  outcome,
  started_at,
  talk_seconds,
  duration,
  answered_by,
  tags,
  note,
} = callExample;
const factsExample = {
  id: exampleId,
  number,
  outbound,
  from,
  to,
  caller_name,
  contact,
  conversation_id,
  status,
  outcome,
  started_at,
  talk_seconds,
  duration,
  answered_by,
  tags,
  note,
};
/** Where it was found. `start_ms`: the moment in the recording, null where nothing sounds. `marks`: what matched, as places in the snippet. */
const highlight = z.object({
  field: z.enum(['transcript', 'voicemail', 'note', 'caller', 'tag']),
  snippet: z.string(),
  start_ms: z.number().nullable(),
  speaker: z.union([z.literal(0), z.literal(1), z.literal(2)]).nullable(),
  marks: z.array(z.tuple([z.number(), z.number()])),
});
export const callFound = z.object({ call: found, highlights: z.array(highlight) });
export type CallFound = z.infer<typeof callFound>;

export const searchCalls = endpoint({
  name: 'searchCalls',
  method: 'GET',
  path: '/calls/search',
  permission: 'calls.view',
  company: 'given',
  paged: true,
  refusals: ['role.forbidden', 'rate.limited'],
  summary:
    'Search calls by transcript, note, tag or caller, newest first. `q`: words (all of them, in any form), "an exact phrase", -without, begin*, speaker:client or speaker:agent before what one side said; digits find phone numbers. Without `q`: the newest transcribed calls',
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
      data: [
        {
          call: factsExample,
          highlights: [
            {
              field: 'transcript',
              snippet: 'My insurance covers a root canal, I think.',
              start_ms: 12_400,
              speaker: 2,
              marks: [
                [3, 12],
                [22, 32],
              ],
            },
          ],
        },
      ],
    },
  },
});
