import { callExample } from '../examples.ts';

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

export const callFoundExample = {
  call: factsExample,
  highlights: [
    {
      field: 'transcript' as const,
      snippet: 'My insurance covers a root canal, I think.',
      start_ms: 12_400,
      speaker: 2 as const,
      marks: [
        [3, 12],
        [22, 32],
      ] as [number, number][],
    },
  ],
};
