import { outcomeTags } from '#contract/calls/rules';
import type { CallToRead, FieldToFill } from '../../../gateways/language-model.ts';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import type { FieldRow } from '../../fields/index.ts';
import { isRough } from '../phrases/spot-in-transcript.ts';
import { redact } from '../redaction/rules.ts';
import type { ReadableTranscript } from './store.ts';

const outcomeLabels: Record<(typeof outcomeTags)[number], string> = {
  appt_booked: 'An appointment was booked',
  vehicle_ordered: 'A vehicle was ordered',
  parts_ordered: 'Parts were ordered',
  get_back_commitment: 'The agent promised to call or write back',
  not_opportunity: 'No sale can come of it',
  opportunity: 'A sale can come of it',
  unknown: '',
};

/** Words of a rough engine that are only a guess have this confidence at most. */
const ROUGH_CONFIDENCE = 0.4;

/**
 * The segments that a model can read: without card numbers, social security numbers and dates of birth,
 * whatever the company keeps itself, and without what was only guessed.
 */
export function readableSegments({ engine, segments }: ReadableTranscript): TranscriptSegment[] {
  const sure = isRough(engine)
    ? segments.filter(({ confidence }) => confidence > ROUGH_CONFIDENCE)
    : segments;
  return redact(sure, ['card', 'ssn', 'dob']).segments;
}

const sides = { 0: 'unknown', 1: 'agent', 2: 'client' } as const;

/** What the model is given of a call. */
export const callToRead = (
  segments: readonly TranscriptSegment[],
  fields: readonly FieldRow[],
): CallToRead => ({
  lines: segments.map(({ speaker, text }) => ({ side: sides[speaker], text })),
  outcomes: outcomeTags
    .filter((key) => key !== 'unknown')
    .map((key) => ({ key, label: outcomeLabels[key] })),
  fields: fields.map(({ key, name, type, ai, choices }): FieldToFill => ({
    key,
    name,
    type,
    prompt: ai.prompt ?? '',
    choices: choices.map(({ value }) => value),
    allow_null: ai.allow_null ?? true,
    with_reason: ai.with_reason ?? true,
  })),
});
