import { z } from 'zod';
import { operation } from '../../operation.ts';
import { flag, id, one } from '../../schemas.ts';
import { callReading } from './schemas.ts';

const evidence = { text: 'I would like to book a cleaning.', start_ms: 4200, speaker: 2 };
const callReadingExample = {
  id: 7702,
  state: 'ready' as const,
  dry_run: false,
  engine: 'api.openai.com',
  model: 'gpt-5-mini',
  is_simulated: false,
  summary: { text: 'The client booked a cleaning for Thursday.', evidence },
  sentiment: { label: 'positive' as const, score: 0.8, evidence },
  outcome: { tag: 'appt_booked' as const, evidence },
  fields: [],
  dropped: [],
  input_tokens: 812,
  output_tokens: 190,
  cost_micros: 583,
  error: null,
  created_at: '2026-11-26T17:02:11.000Z',
};

export const readCall = operation({
  summary:
    'Have AI read a call’s transcript (again): summary, sentiment, a suggested outcome and AI fields. The result is in the call as `ai`; what a person set stays. With `dry_run` nothing of the call changes. Metered either way',
  object: { table: 'call', param: 'id' },
  params: z.object({ id }),
  body: z.object({ dry_run: flag.default(false) }),
  status: 202,
  answer: one(callReading),
  errors: ['reading.no_model', 'reading.no_words', 'reading.running', 'feature.off'],
  example: {
    params: { id: 48213377024 },
    body: { dry_run: true },
    answer: { data: { ...callReadingExample, state: 'queued' as const } },
  },
});
