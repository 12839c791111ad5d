import { z } from 'zod';
import { call } from '../schemas.ts';

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
