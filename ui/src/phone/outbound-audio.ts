import { microphoneTrack, syntheticVoice } from './audio.ts';
import type { Microphone } from './phone-types.ts';

interface AudioSource {
  /** Frequency of a steady synthetic voice; null: a murmur. */
  toneHz: number | null;
  selected: () => Microphone;
  /** The microphone could not be opened; the synthetic voice replaces it. */
  onFallback: (because: 'refused' | 'none') => void;
  /** The microphone was unplugged during a call. */
  onUnplugged: () => void;
}

/** The outbound audio track: the selected microphone, or a synthetic voice without one. */
export class OutboundAudio {
  readonly #source: AudioSource;
  #track: Promise<MediaStreamTrack> | null = null;
  #close: (() => void) | null = null;

  constructor(source: AudioSource) {
    this.#source = source;
  }

  /** The track, opened by the first call. */
  track(): Promise<MediaStreamTrack> {
    this.#track ??= this.#open();
    return this.#track;
  }

  /** Releases the microphone; the next call opens it again. */
  release(): void {
    this.#close?.();
  }

  /** Like `release`, and drops a track that is still being opened. */
  reset(): void {
    this.#close?.();
    this.#track = null;
  }

  async #open(): Promise<MediaStreamTrack> {
    const chosen = this.#source.selected();
    if (chosen.kind === 'device') {
      try {
        const track = await microphoneTrack(chosen.deviceId);
        this.#closeWith(() => track.stop());
        track.addEventListener('ended', this.#source.onUnplugged);
        return track;
      } catch (error) {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError';
        this.#source.onFallback(refused ? 'refused' : 'none');
      }
    }
    const synthetic = syntheticVoice(this.#source.toneHz);
    this.#closeWith(synthetic.close);
    return synthetic.track;
  }

  #closeWith(close: () => void): void {
    this.#close = () => {
      this.#close = null;
      this.#track = null;
      close();
    };
  }
}
