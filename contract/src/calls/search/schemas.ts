import { z } from 'zod';
import { call } from '../schemas.ts';

/** The call record without the fields that only its detail page shows. */
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

/**
 * Where the search matched. `start_ms`: position in the recording, null for notes and names.
 * `marks`: the matches as offsets in the snippet.
 */
const highlight = z.object({
  field: z.enum(['transcript', 'voicemail', 'note', 'caller', 'tag']),
  snippet: z.string(),
  start_ms: z.number().nullable(),
  speaker: z.union([z.literal(0), z.literal(1), z.literal(2)]).nullable(),
  marks: z.array(z.tuple([z.number(), z.number()])),
});

export const callFound = z.object({ call: found, highlights: z.array(highlight) });

export type CallFound = z.infer<typeof callFound>;
