/** Speech synthesis for greetings and prompts. */

export interface SpeechVoice {
  /** The `voice` of `synthesize`. */
  id: string;
  /** Shown in menus: "Emma (US English)". */
  label: string;
  /** BCP 47, e.g. `en-US`. */
  language: string;
  gender: 'female' | 'male' | 'neutral';
}

/** Mono 16-bit PCM at 16 kHz: raw samples, and the same as a WAV file. */
export interface SynthesizedSpeech {
  pcm16k: Int16Array;
  wav: Uint8Array;
  durationMs: number;
}

export interface SpeechGateway {
  readonly engine: string;
  voices(): Promise<SpeechVoice[]>;
  /**
   * Synthesizes `text`. An unknown voice falls back to the language's default, an unknown language
   * to US English. Rejects with an Error when the engine fails or takes longer than 20 s. At most
   * 5,000 characters are read.
   */
  synthesize(words: {
    text: string;
    voice?: string | undefined;
    language?: string | undefined;
  }): Promise<SynthesizedSpeech>;
}
