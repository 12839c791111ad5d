import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import type { RecordingRow } from '../recordings/store.ts';

/**
 * Transcription metadata (A9.3). Summary and sentiment are added by readings, topics stay empty.
 */
export function transcriptionMetadata(
  row: Pick<RecordingRow, 'duration_ms' | 'channels'>,
  transcript: {
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
    engine: transcript.engine,
    model: transcript.model,
    language: transcript.language,
    confidence: transcript.confidence,
    duration_ms: row.duration_ms,
    channels: row.channels,
    created_at: now.toISOString(),
    redactions: [],
    segments: transcript.segments,
    keywords: [],
    topics: [],
    summary: null,
    sentiment: null,
    skipped_reason: transcript.skipped_reason ?? null,
    error: transcript.error ?? null,
  };
}
