import type { Hearing } from '../../ports/carrier.ts';
import type { LegId } from '../../ports/voice.ts';
import type { TranscriptSegment, WordsArrived } from '../../ports/transcription.ts';
import { calls } from './call-requests.ts';
import type { Desk } from './desk.ts';
import { readReport } from '../../platform/wire.ts';

/** Bandwidth's "transcriptionAvailable", as far as we read it. `status` is `none`, `available` or `error`. */
export interface WordsSaid {
  callId?: string;
  recordingId?: string;
  transcription?:
    | { id?: string; status?: string; url?: string; completedTime?: string }
    | undefined;
}
/** The resource behind it (its document's `RecordingTranscriptions`). Times are seconds. */
interface Written {
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
 * Bandwidth wrote a recording down, because somebody asked it there to: the report only says so, the words are fetched. They
 * go there with the recording, which we delete once it is copied; so what was fetched is kept until the product has taken it.
 * Throws when it cannot now: Bandwidth says it again. `leg` and `recording` are ours, where the address names them.
 */
export async function hearWords(
  desk: Desk,
  leg: LegId,
  recording: string,
  said: WordsSaid,
  hear: Hearing,
): Promise<void> {
  const row =
    (leg ? await desk.book.read(leg) : undefined) ??
    (said.callId ? await desk.book.byRef(said.callId) : undefined);
  const status = said.transcription?.status;
  if (!row || !hear.words || !said.recordingId || (status !== 'available' && status !== 'error'))
    return;
  const ours = recording || (await ourName(desk, row.leg, said.recordingId));
  if (!ours)
    return desk.log.info({ recording: said.recordingId }, 'words of a recording that is not ours');
  const kept = (await desk.book.find('words', ours))?.facts['arrived'] as
    | WordsArrived
    | null
    | undefined;
  // Taken already, said again.
  if (kept === null) return;
  const about = { call: row.call, recording: ours, engine: 'Bandwidth', language: 'en-US' };
  const arrived: WordsArrived | null =
    kept ??
    (status === 'error'
      ? {
          ...about,
          state: 'failed',
          confidence: null,
          text: '',
          error: 'Bandwidth could not write it down.',
        }
      : await fetchWords(desk, row.ref ?? said.callId ?? '', said.recordingId, about));
  if (!arrived) return desk.log.warn({ recording: ours }, 'words of Bandwidth’s are gone there');
  await desk.book.keep('words', ours, { facts: { arrived } });
  await hear.words([arrived]);
  await desk.book.change('words', ours, { facts: { arrived: null } });
}

/** What we call a recording that Bandwidth names. */
async function ourName(desk: Desk, leg: LegId, theirs: string): Promise<string | null> {
  for (const key of await desk.book.keysWith('recording', 'leg', leg))
    if ((await desk.book.find('recording', key))?.ref === theirs) return key;
  return null;
}

async function fetchWords(
  desk: Desk,
  call: string,
  recording: string,
  about: Pick<WordsArrived, 'call' | 'recording' | 'engine' | 'language'>,
): Promise<WordsArrived | null> {
  const { status, body } = await desk.api.ask(
    'voice',
    'GET',
    `${calls(desk)}/${encodeURIComponent(call)}/recordings/${encodeURIComponent(recording)}/transcription`,
  );
  if (status === 404) return null;
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for the words of a recording.`);
  const written = readReport(body) as Written;
  if (!Array.isArray(written.transcripts) && !Array.isArray(written.clips))
    throw new Error('Bandwidth answered something that is no words.');
  const [whole, clips] = [written.transcripts ?? [], written.clips ?? []];
  const text = (whole.length ? whole : clips)
    .map((part) => (part.text ?? '').trim())
    .filter(Boolean)
    .join(' ');
  const sure = (whole.length ? whole : clips).flatMap((part) =>
    typeof part.confidence === 'number' ? [part.confidence] : [],
  );
  return {
    ...about,
    state: 'ready',
    confidence: sure.length ? sure.reduce((sum, one) => sum + one, 0) / sure.length : null,
    text,
    ...(clips.length
      ? { segments: segmentsOf(clips) }
      : whole.length === 2
        ? { segments: channelsOf(whole) }
        : {}),
  };
}

/** Whom Bandwidth numbers as speakers is for it to know: nobody is called agent or client on a guess. */
const segmentsOf = (clips: NonNullable<Written['clips']>): TranscriptSegment[] =>
  clips
    .filter((clip) => clip.text?.trim())
    .map((clip, i) => ({
      i,
      speaker: 0,
      channel: 0,
      start_ms: ms(clip.startTimeSeconds),
      end_ms: ms(clip.endTimeSeconds ?? clip.startTimeSeconds),
      text: clip.text!.trim(),
      confidence: clip.confidence ?? 0,
      words: [],
    }));
/** "If the recording was multi-channel, then there will be 2 transcripts": the leg's own first, what it heard second; without times. */
const channelsOf = (whole: NonNullable<Written['transcripts']>): TranscriptSegment[] =>
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
