import type { CarrierEventSink } from '../../gateways/carrier.ts';
import type { LegId } from '../../gateways/voice.ts';
import type { TranscriptSegment, CarrierTranscript } from '../../gateways/transcription.ts';
import { callsPath } from './call-requests.ts';
import type { BandwidthClient } from './client.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';
import { mustBe } from '../../platform/must-be.ts';

/**
 * What we read of Bandwidth's `transcriptionAvailable`. `status` is `none`, `available` or `error`.
 */
export interface TranscriptionAvailable {
  callId?: string;
  recordingId?: string;
  transcription?:
    | { id?: string; status?: string; url?: string; completedTime?: string }
    | undefined;
}
/** What we read of its API's `RecordingTranscriptions`. Times are seconds. */
interface TranscriptionResource {
  transcripts?: { text?: string; confidence?: number; speaker?: number }[];
  clips?: {
    text?: string;
    confidence?: number;
    speaker?: number;
    startTimeSeconds?: number;
    endTimeSeconds?: number;
  }[];
}

/**
 * Bandwidth transcribed a recording, because its Dashboard is set to. The webhook only says so; the
 * text is fetched. Bandwidth deletes it with the recording, which we delete once it is copied, so
 * the fetched text is stored until the product has accepted it. Throws when that fails: Bandwidth
 * then repeats the webhook. `leg` and `recording` are our ids, where the URL names them.
 */
export async function receiveTranscription(
  client: BandwidthClient,
  leg: LegId,
  recording: string,
  event: TranscriptionAvailable,
  sink: CarrierEventSink,
): Promise<void> {
  const row =
    (leg ? await client.store.read(leg) : undefined) ??
    (event.callId ? await client.store.byRef(event.callId) : undefined);
  const status = event.transcription?.status;
  if (
    !row ||
    !sink.onTranscripts ||
    !event.recordingId ||
    (status !== 'available' && status !== 'error')
  )
    return;
  const recordingName = recording || (await ourRecordingName(client, row.leg, event.recordingId));
  if (!recordingName)
    return client.log.info(
      { recording: event.recordingId },
      'a transcript of a recording that is not ours',
    );
  const kept = (await client.store.get('words', recordingName))?.facts['arrived'] as
    | CarrierTranscript
    | null
    | undefined;
  // A repeated webhook: the product has accepted it.
  if (kept === null) return;
  const about = {
    call: row.call,
    recording: recordingName,
    engine: 'Bandwidth',
    language: 'en-US',
  };
  const arrived: CarrierTranscript | null =
    kept ??
    (status === 'error'
      ? {
          ...about,
          state: 'failed',
          confidence: null,
          text: '',
          error: 'Bandwidth couldn’t transcribe it.',
        }
      : await fetchTranscription(client, row.ref ?? event.callId ?? '', event.recordingId, about));
  if (!arrived)
    return client.log.warn({ recording: recordingName }, 'a transcript is no longer at Bandwidth');
  await client.store.put('words', recordingName, { facts: { arrived } });
  await sink.onTranscripts([arrived]);
  await client.store.change('words', recordingName, { facts: { arrived: null } });
}

/** Our id of one of Bandwidth's recordings; null when it is not ours. */
async function ourRecordingName(
  client: BandwidthClient,
  leg: LegId,
  bandwidthId: string,
): Promise<string | null> {
  for (const key of await client.store.keysWithFact('recording', 'leg', leg))
    if ((await client.store.get('recording', key))?.ref === bandwidthId) return key;
  return null;
}

async function fetchTranscription(
  client: BandwidthClient,
  call: string,
  recording: string,
  about: Pick<CarrierTranscript, 'call' | 'recording' | 'engine' | 'language'>,
): Promise<CarrierTranscript | null> {
  const { status, body } = await client.api.request(
    'voice',
    'GET',
    `${callsPath(client)}/${encodeURIComponent(call)}/recordings/${encodeURIComponent(recording)}/transcription`,
  );
  if (status === 404) return null;
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for a transcript.`);
  const resource = parseWebhookJson(body) as TranscriptionResource;
  if (!Array.isArray(resource.transcripts) && !Array.isArray(resource.clips))
    throw new Error('Bandwidth’s response is not a transcript.');
  const [transcripts, clips] = [resource.transcripts ?? [], resource.clips ?? []];
  const text = (transcripts.length ? transcripts : clips)
    .map((part) => (part.text ?? '').trim())
    .filter(Boolean)
    .join(' ');
  const sure = (transcripts.length ? transcripts : clips).flatMap((part) =>
    typeof part.confidence === 'number' ? [part.confidence] : [],
  );
  return {
    ...about,
    state: 'ready',
    confidence: sure.length ? sure.reduce((sum, one) => sum + one, 0) / sure.length : null,
    text,
    ...(clips.length
      ? { segments: clipSegments(clips) }
      : transcripts.length === 2
        ? { segments: channelSegments(transcripts) }
        : {}),
  };
}

/** Bandwidth only numbers the speakers, so none is labeled agent or client. */
const clipSegments = (clips: NonNullable<TranscriptionResource['clips']>): TranscriptSegment[] =>
  clips
    .filter((clip) => clip.text?.trim())
    .map((clip, i) => ({
      i,
      speaker: 0,
      channel: 0,
      start_ms: ms(clip.startTimeSeconds),
      end_ms: ms(clip.endTimeSeconds ?? clip.startTimeSeconds),
      text: mustBe(clip.text, 'text, filtered above').trim(),
      confidence: clip.confidence ?? 0,
      words: [],
    }));
/**
 * "If the recording was multi-channel, then there will be 2 transcripts": the leg's own first, what
 * it heard second; without times.
 */
const channelSegments = (
  whole: NonNullable<TranscriptionResource['transcripts']>,
): TranscriptSegment[] =>
  whole
    .flatMap((part, channel) =>
      part.text?.trim()
        ? [
            {
              i: 0,
              speaker: 0 as const,
              channel,
              start_ms: 0,
              end_ms: 0,
              text: part.text.trim(),
              confidence: part.confidence ?? 0,
              words: [],
            },
          ]
        : [],
    )
    .map((one, i) => ({ ...one, i }));
const ms = (seconds: number | undefined): number => Math.round((seconds ?? 0) * 1000);
