/** What a model found, checked against the transcript. Pure. */
import { outcomeTags } from '#contract/calls/rules';
import { describeValue } from '#contract/fields/rules';
import type { CallReading, Finding } from '../../../gateways/language-model.ts';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import { readValues, type FieldRow } from '../../fields/index.ts';
import { spotPhrases } from '../phrases/spot.ts';
import type { Found } from './store.ts';

type Dropped = Found['dropped'][number];
type Evidence = NonNullable<Found['summary']>['evidence'];

/** A field with the value that was found; not yet written. */
export interface CheckedField {
  field: FieldRow;
  value: string | number | boolean;
  reason: string | null;
  evidence: Evidence;
}

/**
 * The findings whose sentence was said, each with when, and what was dropped. A sentence counts word
 * for word, without case, accents and punctuation.
 */
export function checkFindings(
  reading: CallReading,
  segments: readonly TranscriptSegment[],
  fields: readonly FieldRow[],
): Omit<Found, 'fields'> & { fields: CheckedField[] } {
  const dropped: Dropped[] = [];
  const evidenceOf = (what: string, found: Finding<unknown> | null): Evidence | null => {
    if (!found) return null;
    const evidence = placeOf(found.evidence, segments);
    if (!evidence) dropped.push({ what, why: 'no_evidence' });
    return evidence;
  };
  const { summary, sentiment, outcome } = reading;
  const ofSummary = evidenceOf('summary', summary);
  const ofSentiment = evidenceOf('sentiment', sentiment);
  const ofOutcome = evidenceOf('outcome', outcome);
  const tag = outcomeTags.find((one) => one === outcome?.value);
  const checked = fields.flatMap((field): CheckedField[] => {
    const found = reading.fields[field.key] ?? null;
    const evidence = evidenceOf(field.name, found);
    if (!found || !evidence) return [];
    const { set, errors } = readValues([field], [{ key: field.key, value: found.value }]);
    const value = set[0]?.value ?? null;
    if (Object.keys(errors).length > 0 || value === null) {
      dropped.push({ what: field.name, why: 'invalid' });
      return [];
    }
    return [{ field, value, reason: found.reason, evidence }];
  });
  return {
    summary:
      summary && ofSummary ? { text: summary.value.slice(0, 5000), evidence: ofSummary } : null,
    sentiment:
      sentiment && ofSentiment
        ? {
            label: sentiment.value,
            score: Math.max(-1, Math.min(1, sentiment.score)),
            evidence: ofSentiment,
          }
        : null,
    outcome: tag && ofOutcome ? { tag, evidence: ofOutcome } : null,
    fields: checked,
    dropped,
  };
}

/** Where a sentence was said; null: it wasn't. */
function placeOf(sentence: string, segments: readonly TranscriptSegment[]): Evidence | null {
  const wanted = { phrases: [sentence.replaceAll('*', ' ')], said_by: 'either' as const };
  const said = spotPhrases(segments, wanted)[0];
  return said
    ? { text: sentence.trim().slice(0, 500), start_ms: said.start_ms, speaker: said.speaker }
    : null;
}

/** A checked field as it is shown. */
export const shownField = (
  { field, value, reason, evidence }: CheckedField,
  state: Found['fields'][number]['state'],
): Found['fields'][number] => ({
  attribute_id: field.id,
  name: field.name,
  value: describeValue(field, value),
  reason,
  evidence,
  state,
});
