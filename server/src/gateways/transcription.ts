/** Transcription of recordings (A9.3). */

/** Speech whose text is known: the sandbox's scripted phones speak from text. */
export interface ScriptedSpeech {
  /** Channel of the recording, 0 or 1. */
  channel: number;
  text: string;
  startMs: number;
}

export interface TranscriptionRequest {
  /** WAV: 16-bit PCM, one or two channels. Fetched only when the engine needs it. */
  recording: () => Promise<Uint8Array>;
  durationMs: number;
  channels: 1 | 2;
  language: string;
  /** The speaker of each channel: 0 mixed, 1 agent, 2 client (A9.3). */
  speakers: (0 | 1 | 2)[];
  speech?: ScriptedSpeech[] | undefined;
}

export interface TranscriptWord {
  w: string;
  start_ms: number;
  end_ms: number;
  confidence: number;
}

export interface TranscriptSegment {
  i: number;
  speaker: 0 | 1 | 2;
  channel: number;
  start_ms: number;
  end_ms: number;
  text: string;
  /** 0 to 1. */
  confidence: number;
  words: TranscriptWord[];
}

type TranscriptionSkip =
  | 'too_short'
  | 'no_recording'
  | 'disabled'
  | 'unsupported_language'
  | 'no_engine';

/** `engine` is shown with the transcript as its source. */
export type TranscriptionResult =
  | {
      state: 'ready';
      engine: string;
      model: string | null;
      language: string;
      confidence: number;
      text: string;
      segments: TranscriptSegment[];
    }
  | { state: 'skipped'; reason: TranscriptionSkip; engine: string };

export interface TranscriptionGateway {
  readonly engine: string;
  /** Rejects when the engine fails; the caller may retry. The result is always the same. */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
}

/**
 * A transcript that a carrier sends without being asked. `call` and `recording` are our ids.
 * Without `segments` there is only the text.
 */
export interface CarrierTranscript {
  call: string;
  recording: string;
  state: 'ready' | 'failed';
  engine: string;
  language: string;
  confidence: number | null;
  text: string;
  segments?: TranscriptSegment[] | undefined;
  error?: string | undefined;
}
