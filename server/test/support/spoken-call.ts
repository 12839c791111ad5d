/** For tests: calls whose words are known. */
import type { TranscriptSegment } from '../../src/gateways/transcription.ts';
import { finishTranscription } from '../../src/modules/calls/transcripts/finish-transcription.ts';
import { recordingRow } from '../../src/modules/calls/recordings/store.ts';
import { systemCtx } from '../../src/platform/context.ts';
import { mustBe } from '../../src/platform/must-be.ts';
import type { TestApp } from './test-app.ts';

/** What one side said, "agent: …" or "client: …", one line after the other. */
export const segmentsOf = (lines: readonly string[]): TranscriptSegment[] =>
  lines.map((line, i) => {
    const isAgent = line.startsWith('agent: ');
    const text = line.replace(/^(agent|client): /, '');
    const start = i * 4000;
    return {
      i,
      speaker: isAgent ? 1 : 2,
      channel: isAgent ? 1 : 0,
      start_ms: start,
      end_ms: start + 3000,
      text,
      confidence: 1,
      words: text.split(' ').map((w, n, all) => ({
        w,
        start_ms: start + Math.round((3000 * n) / all.length),
        end_ms: start + Math.round((3000 * (n + 1)) / all.length),
        confidence: 1,
      })),
    };
  });

interface SpokenCall {
  numberId: number;
  lines: readonly string[];
  talkSeconds?: number;
  outbound?: boolean;
  startedAt?: Date;
  engine?: string;
  /** Of its words, 0 to 1. */
  confidence?: number;
}

/** An ended call whose recording is transcribed with these lines. Returns its ID. */
export async function createSpokenCall(
  app: TestApp,
  companyId: number,
  {
    numberId,
    lines,
    talkSeconds = 90,
    outbound = false,
    startedAt,
    engine,
    confidence = 1,
  }: SpokenCall,
): Promise<number> {
  const at = startedAt ?? new Date(app.clock.value.getTime() - 600_000);
  const { callId, recordingId, transcriptionId } = await app.services.db.systemTransaction(
    async (tx) => {
      const { id } = await tx
        .insertInto('call')
        .values({
          company_id: companyId,
          number_id: numberId,
          outbound,
          carrier: 'sandbox',
          from_number: '+12125550147',
          to_number: '+14155552368',
          party: '+12125550147',
          status: 6,
          outcome: 1,
          started_at: at,
          answered_at: at,
          ended_at: new Date(at.getTime() + talkSeconds * 1000),
          talk_seconds: talkSeconds,
          duration_seconds: talkSeconds,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const recording = await tx
        .insertInto('recording')
        .values({
          company_id: companyId,
          call_id: id,
          carrier_recording: `spoken-${id}`,
          kind: 'call',
          state: 'ready',
          content_type: 'audio/wav',
          duration_ms: talkSeconds * 1000,
          channels: 2,
          speakers: outbound ? [1, 2] : [2, 1],
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const transcription = await tx
        .insertInto('transcription')
        .values({
          company_id: companyId,
          recording_id: recording.id,
          call_id: id,
          state: 'processing',
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { callId: id, recordingId: recording.id, transcriptionId: transcription.id };
    },
  );
  const ctx = systemCtx(app.services, companyId, app.notifier);
  const row = await ctx.transaction((t) => recordingRow(t.tx, companyId, recordingId));
  const segments = segmentsOf(lines).map((one) => ({ ...one, confidence }));
  await finishTranscription(ctx, transcriptionId, mustBe(row, 'the recording'), {
    state: 'ready',
    engine: engine ?? 'a test',
    model: null,
    language: 'en-US',
    confidence: 1,
    text: segments.map(({ text }) => text).join('\n'),
    segments,
  });
  return callId;
}
