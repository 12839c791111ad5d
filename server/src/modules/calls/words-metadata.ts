import type { TranscriptSegment } from '../../ports/transcription.ts';
import type { RecordingRow } from './store-audio.ts';

/** A9.3 metadata. What nobody has worked out (topics, summary, sentiment) is empty, not invented. */
export function metadataOf(
  row: Pick<RecordingRow, 'duration_ms' | 'channels'>,
  said: {
    engine: string;
    model: string | null;
    language: string;
    confidence: number | null;
    segments: TranscriptSegment[];
    skipped_reason?: string | null;
    error?: string | null;
  },
  now: Date,
) {
  return {
    engine: said.engine,
    model: said.model,
    language: said.language,
    confidence: said.confidence,
    duration_ms: row.duration_ms,
    channels: row.channels,
    created_at: now.toISOString(),
    redactions: [],
    segments: said.segments,
    keywords: [],
    topics: [],
    summary: null,
    sentiment: null,
    skipped_reason: said.skipped_reason ?? null,
    error: said.error ?? null,
  };
}
