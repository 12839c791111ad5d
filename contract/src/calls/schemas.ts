import { z } from 'zod';
import { fieldValue } from '../fields/schemas.ts';
import { id, instant } from '../schemas.ts';
import { matchedSource } from '../tracking/match-schemas.ts';
import { spokenList } from './phrases/schemas.ts';
import { callReading } from './readings/schemas.ts';
import { departments, outcomeTags } from './rules.ts';

export const bit = z.union([z.literal(0), z.literal(1)]);

export const status = z
  .number()
  .int()
  .min(1)
  .max(13)
  .meta({ description: 'Call status code: 1 Started … 13 Blocked' });

export const outcome = z
  .number()
  .int()
  .min(0)
  .max(4)
  .meta({ description: 'none 0, answered 1, missed 2, voicemail 3, blocked 4' });

export const callTag = z.object({ id, name: z.string(), color: z.string() });

export const answeredBy = z.object({
  type: z.enum(['user', 'forward', 'app', 'voicemail']),
  id: id.nullable(),
  label: z.string(),
  number: z.string().nullable(),
});

/** A9.3, word for word. */
const transcription = z.object({
  id: id.nullable(),
  state: z.enum(['none', 'queued', 'processing', 'ready', 'failed', 'skipped', 'redacted']),
  text: z.string(),
  raw: z.unknown(),
  metadata: z
    .object({
      engine: z.string(),
      model: z.string().nullable(),
      language: z.string(),
      confidence: z.number().nullable(),
      duration_ms: z.number(),
      channels: z.number(),
      created_at: instant,
      redactions: z.array(z.object({ kind: z.string(), start_ms: z.number(), end_ms: z.number() })),
      segments: z.array(
        z.object({
          i: z.number(),
          speaker: z.union([z.literal(0), z.literal(1), z.literal(2)]),
          channel: z.number(),
          start_ms: z.number(),
          end_ms: z.number(),
          text: z.string(),
          confidence: z.number(),
          words: z.array(
            z.object({
              w: z.string(),
              start_ms: z.number(),
              end_ms: z.number(),
              confidence: z.number(),
            }),
          ),
        }),
      ),
      keywords: z.array(
        z.object({ term: z.string(), count: z.number(), segments: z.array(z.number()) }),
      ),
      topics: z.array(z.string()),
      summary: z.object({ text: z.string(), bullets: z.array(z.string()) }).nullable(),
      sentiment: z
        .object({
          overall: z.string(),
          agent: z.string().nullable(),
          client: z.string().nullable(),
          timeline: z.array(z.object({ at_ms: z.number(), score: z.number() })),
        })
        .nullable(),
      skipped_reason: z.string().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
  statistics: z
    .object({
      agent: z.object({ percent: z.number(), seconds: z.number(), words: z.number() }),
      client: z.object({ percent: z.number(), seconds: z.number(), words: z.number() }),
      silence_percent: z.number(),
      overtalk_seconds: z.number(),
      longest_monologue_seconds: z.number(),
      from: z.enum(['voice', 'words']).meta({
        description:
          'What the times come from: `voice` activity in the recording, or `words` of the transcript where sides share a channel',
      }),
    })
    .nullable(),
});

/**
 * `peaks`: 0 to 1, one list per channel (0 the caller's side of a call, 1 the other), evenly spread
 * over `duration`.
 */
const audio = {
  url: z.string().nullable(),
  duration: z.number().meta({ description: 'Seconds' }),
  peaks: z.array(z.array(z.number())),
};

const callRecording = z.object({
  ...audio,
  state: z.enum(['none', 'pending', 'ready', 'deleted', 'redacted']),
  expires_at: instant.nullable(),
  speakers: z.array(z.number()),
});

const callVoicemail = z.object({ id, ...audio, transcription: transcription.nullable() });

const callHistory = z.object({
  at: instant,
  code: status.nullable(),
  label: z.string(),
  leg: z.string().nullable(),
  target: z.string().nullable(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
});

const callLeg = z.object({
  id: z.string(),
  role: z.enum(['caller', 'agent', 'target', 'monitor']),
  label: z.string(),
  target: z.string().nullable(),
  state: z.string(),
  cause: z.string().nullable(),
  started_at: instant,
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  ring_seconds: z.number(),
  talk_seconds: z.number(),
});

/** Why the call was routed as it was; the same steps as in a simulation (A7.2). */
const callStep = z.object({
  at: instant,
  node: z.string(),
  rule: z.string(),
  matched: z.boolean(),
  because: z.string(),
  target: z.string().nullable(),
});

/** A call (A9.1). `path`, `phrases` and `ai` are additions to the specification. */
export const call = z.object({
  id,
  company_id: id,
  number: z.object({ id, number: z.string(), label: z.string() }),
  outbound: bit,
  from: z.string(),
  to: z.string(),
  caller_name: z.string().nullable(),
  caller_city: z.string().nullable(),
  caller_state: z.string().nullable(),
  contact: z.object({ id, name: z.string() }).nullable(),
  conversation_id: id.nullable(),
  status,
  outcome,
  started_at: instant,
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  ring_seconds: z.number(),
  talk_seconds: z.number(),
  duration: z
    .number()
    .meta({ description: 'Seconds from the first ring to the end; 0 while running' }),
  billable_minutes: z.number(),
  first_contact: z.boolean(),
  answered_by: answeredBy.nullable(),
  extension: z.number().nullable(),
  extension_label: z.string().nullable(),
  recording: callRecording,
  voicemail: callVoicemail.nullable(),
  transcription,
  tags: z.array(callTag),
  note: z.string(),
  qualified: bit,
  lead: bit,
  outcome_tags: z.array(z.enum(outcomeTags)),
  department: z.enum(departments),
  sentiment: z.object({
    label: z.enum(['positive', 'neutral', 'negative', 'mixed', 'unknown']),
    score: z.number().nullable(),
  }),
  summary: z.string().nullable(),
  value_cents: z.number().nullable(),
  spam: bit,
  source: matchedSource.nullable(),
  dni_pool_id: id.nullable(),
  enhanced_caller_id: z.record(z.string(), z.unknown()).nullable(),
  eavAttributeValues: z.array(fieldValue),
  history: z.array(callHistory),
  legs: z.array(callLeg),
  path: z.array(callStep),
  phrases: z
    .array(spokenList)
    .meta({ description: 'Phrases of the company’s lists that were said' }),
  ai: callReading.nullable().meta({ description: 'What AI found, the latest time it was asked' }),
  abandoned: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});

export type Call = z.infer<typeof call>;

/**
 * Caller ID lookup (A9.4). Unknown values are null or empty. `source` is the provider's name, or
 * `simulated`.
 */
export const enhancedCallerId = z.object({
  number: z.string(),
  name: z.string().nullable(),
  type: z.enum(['person', 'business', 'unknown']),
  line_type: z.enum(['mobile', 'landline', 'voip', 'toll_free', 'other']),
  carrier: z.string().nullable(),
  is_prepaid: z.boolean().nullable(),
  is_commercial: z.boolean().nullable(),
  age_range: z.string().nullable(),
  gender: z.string().nullable(),
  emails: z.array(z.string()),
  addresses: z.array(
    z.object({ street: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
  ),
  alternate_phones: z.array(z.string()),
  business: z.object({ name: z.string(), industry: z.string().nullable() }).nullable(),
  checked_at: instant,
  source: z.string(),
});

export type EnhancedCallerId = z.infer<typeof enhancedCallerId>;

export const callingStatus = z.enum(['active', 'away', 'on_call', 'offline']);
