import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { evidenceFacts, matchKinds, matchLabels } from './match-rules.ts';
import { attributionModels, creditFallbacks } from './pool-rules.ts';

const sourceBrief = z.object({ id, key: z.string(), label: z.string() });

/** Where a call or text came from, in short: on calls, in lists and in events. */
export const matchedSource = z.object({
  key: z.string(),
  label: z.string(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  keyword: z.string().nullable(),
  landingUrl: z
    .string()
    .nullable()
    .meta({ description: 'Without its query: visitors’ addresses can carry personal data' }),
  confidence: z.number(),
  matchLabel: z.enum(matchLabels),
});
export type MatchedSource = z.infer<typeof matchedSource>;

const visitFacts = {
  source: sourceBrief,
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  term: z.string().nullable(),
  content: z.string().nullable(),
  landingUrl: z.string().nullable(),
};

/** A fact that a match rests on, and when it was true; `value` is empty where the fact says all. */
export const evidence = z.object({
  fact: z.enum(evidenceFacts),
  value: z.string(),
  at: instant.nullable(),
});
export type Evidence = z.infer<typeof evidence>;

const candidate = z.object({
  sessionId: id,
  leaseId: id,
  share: z.number().meta({ description: 'Percent' }),
  startedAt: instant,
  source: sourceBrief,
  campaign: z.string().nullable(),
  landingUrl: z.string().nullable(),
});
export type MatchCandidate = z.infer<typeof candidate>;

/** One visit on the way to a call (A8.6). */
const touch = z.object({
  sessionId: id,
  at: instant,
  ...visitFacts,
  referrer: z.string().nullable(),
  pages: z.number().meta({ description: 'Pages that were looked at in this visit' }),
  isMatched: z.boolean().meta({ description: 'The visit that the call is matched to' }),
});
export type Touch = z.infer<typeof touch>;

const modelCredits = z.object({
  model: z.enum(attributionModels),
  credits: z.array(
    z.object({
      sessionId: id,
      basisPoints: z.number().meta({ description: 'All of a model sum to 10,000' }),
    }),
  ),
  fallback: z
    .enum(creditFallbacks)
    .nullable()
    .meta({ description: 'Why another model had to step in; null: it didn’t' }),
});
export type ModelCredits = z.infer<typeof modelCredits>;

/** A8.5, with the visits of the same visitor before it. */
export const attribution = z.object({
  kind: z.enum(matchKinds),
  model: z.enum(attributionModels).meta({ description: 'The one that the pool has now' }),
  matchLabel: z.enum(matchLabels),
  confidence: z.number(),
  matchedAt: instant,
  pool: z.object({ id, name: z.string() }).nullable(),
  visitorId: z.string().nullable(),
  sessionId: id.nullable(),
  leaseId: id.nullable(),
  ...visitFacts,
  keyword: z.string().nullable(),
  referrer: z.string().nullable(),
  clickIds: z.record(z.string(), z.string()),
  device: z.enum(['desktop', 'mobile', 'tablet']).nullable(),
  ruleId: z.string().nullable(),
  evidence: z.array(evidence),
  candidates: z.array(candidate),
  touches: z.array(touch),
  credits: z.array(modelCredits).meta({
    description: 'What each model gives each visit. Empty without visits',
  }),
});
export type Attribution = z.infer<typeof attribution>;
