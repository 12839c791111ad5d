import { readWav } from '../../../platform/audio/wav.ts';
import { voiceSpans, type VoiceSpan } from '../../../platform/audio/voice-activity.ts';
import { runInThread } from '../../../platform/worker-thread.ts';
import { peaksOfWav } from './peaks.ts';

/** What a recording sounds like, one entry per channel. */
interface RecordingSound {
  /** 0 to 1, for drawing. */
  peaks: number[][];
  /** When someone speaks. Milliseconds. */
  voice: VoiceSpan[][];
}

/** Time for an hour of two channels, many times over. Seconds. */
const INSPECT_SECONDS = 60;

/**
 * Waveform and voice activity, found in a thread, because an hour of sound takes seconds. Null: not a
 * WAV file.
 */
export const inspectRecording = (bytes: Buffer): Promise<RecordingSound | null> =>
  runInThread<RecordingSound | null>('inspectRecording', bytes, INSPECT_SECONDS);

/** The work of that thread. Null: not a WAV file. */
export function inspectBytes(bytes: Uint8Array): RecordingSound | null {
  const wav = readWav(bytes);
  return (
    wav && {
      peaks: peaksOfWav(wav),
      voice: wav.channels.map((samples) => voiceSpans(samples, wav.sampleRate)),
    }
  );
}
