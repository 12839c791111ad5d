/** What we ask of whoever writes down what was said. The answer fills a call's transcription (decisions A9.3). */

/** Words a carrier already knows were said: the sandbox's scripted phones read their lines from text. */
export interface ScriptedSpeech {
  /** Channel of the recording, 0 or 1; who sits on which channel is known by whoever started the recording. */
  channel: number;
  text: string;
  startMs: number;
}

export interface TranscriptionRequest {
  /** WAV: 16-bit PCM, one or two channels. Asked for only when the engine listens. */
  recording: () => Promise<Uint8Array>;
  durationMs: number;
  channels: 1 | 2;
  language: string;
  /** Who speaks on each channel: 0 mixed, 1 agent, 2 client (decisions A9.3). */
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

export type TranscriptionSkip =
  | 'too_short'
  | 'no_recording'
  | 'disabled'
  | 'unsupported_language'
  | 'no_engine';

/** `engine` is shown to people beside the words, so it says plainly where they come from. */
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
  /** Rejects when the engine fails; the caller may ask again. Asking twice gives the same answer. */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
}

/** Words that a carrier or a provider sends by itself. `call` and `recording` as that carrier was told them. Without `segments` the text is all there is. */
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
