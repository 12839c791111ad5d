import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { outcomeTags } from '../rules.ts';

/** The sentence that a finding rests on, and where it was said. */
const evidence = z.object({ text: z.string(), start_ms: z.number(), speaker: z.number() });

/** What a language model found in a call. Every finding names the sentence it rests on. */
export const callReading = z.object({
  id,
  state: z.enum(['queued', 'ready', 'failed']),
  dry_run: z.boolean().meta({ description: 'Nothing of it was written into the call' }),
  engine: z.string(),
  model: z.string().nullable(),
  is_simulated: z.boolean().meta({ description: 'Sentences were picked; no model was asked' }),
  summary: z.object({ text: z.string(), evidence }).nullable(),
  sentiment: z
    .object({
      label: z.enum(['positive', 'neutral', 'negative', 'mixed']),
      score: z.number(),
      evidence,
    })
    .nullable(),
  outcome: z
    .object({ tag: z.enum(outcomeTags), evidence })
    .nullable()
    .meta({ description: 'A suggestion: it is not set' }),
  fields: z.array(
    z.object({
      attribute_id: id,
      name: z.string(),
      value: z.string(),
      reason: z.string().nullable(),
      evidence,
      state: z
        .enum(['set', 'kept', 'found'])
        .meta({ description: '`kept`: a person’s value stays. `found`: in a dry run' }),
    }),
  ),
  dropped: z
    .array(z.object({ what: z.string(), why: z.enum(['no_evidence', 'invalid']) }))
    .meta({ description: 'Findings whose sentence isn’t in the transcript, or that don’t fit' }),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost_micros: z.number().nullable().meta({ description: 'Millionths of a dollar' }),
  error: z.string().nullable(),
  created_at: instant,
});
export type CallReadingShown = z.infer<typeof callReading>;
