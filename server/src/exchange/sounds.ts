/** Everything a leg can hear, made once and cached: spoken prompts, files, tones and hold music. */
import type { SpeechGateway } from '../gateways/speech.ts';
import { mixDown, resample, sampleRate } from '../platform/audio/resample.ts';
import { readWav } from '../platform/audio/wav.ts';
import { encode } from './opus.ts';
import { holdMusic } from '../platform/audio/hold-music.ts';
import { beep, busy, dtmfTones, ringing } from '../platform/audio/tones.ts';

export interface Sound {
  pcm: Int16Array;
  /** The same as Opus, 20 ms a frame. */
  frames: Buffer[];
}

const emptySound: Sound = { pcm: new Int16Array(0), frames: [] };

/** A minute of speech is 2 MB; above this the least recently used sounds are dropped. */
const maxCachedSounds = 300;

export class Sounds {
  readonly #cached = new Map<string, Promise<Sound>>();

  constructor(
    private readonly synthesizer: SpeechGateway,
    private readonly fetchFile: (fileId: string) => Promise<Uint8Array | null>,
    private readonly log: (message: string, detail?: object) => void,
  ) {}

  /** `voice` and `language` as the speech gateway knows them. */
  speech(text: string, voice?: string, language?: string): Promise<Sound> {
    return this.#cache(
      `say ${voice ?? ''} ${language ?? ''} ${text}`,
      async () => (await this.synthesizer.synthesize({ text, voice, language })).pcm16k,
    );
  }

  /** A file of the product's. When it cannot be read, its text (if known) is spoken instead. */
  async file(fileId: string, text?: string): Promise<Sound> {
    const sound = await this.#cache(`file ${fileId}`, async () => {
      const bytes = await this.fetchFile(fileId);
      const wav = bytes && readWav(bytes);
      if (!wav) throw new Error(bytes ? 'It isn’t a WAV file.' : 'There’s no such file.');
      return resample(mixDown(wav.channels), wav.sampleRate, sampleRate);
    });
    return sound.frames.length === 0 && text ? this.speech(text) : sound;
  }

  beep = (): Promise<Sound> => this.#cache('beep', beep);
  ringing = (): Promise<Sound> => this.#cache('ringing', ringing);
  busy = (): Promise<Sound> => this.#cache('busy', busy);
  dtmf = (digits: string): Promise<Sound> => this.#cache(`keys ${digits}`, () => dtmfTones(digits));

  /** Hold music (A29). Null: ringing. 1 to 3: built in. From 1000: the file of a greeting. */
  async music(id: number | null, fileId?: string): Promise<Sound> {
    if (id === null) return this.ringing();
    const own = id >= 1000 && fileId !== undefined ? await this.file(fileId) : emptySound;
    return own.frames.length > 0
      ? own
      : this.#cache(`music ${id >= 1000 ? 1 : id}`, () => holdMusic(id >= 1000 ? 1 : id));
  }

  /**
   * A sound that cannot be made is logged and becomes silence, so that the call goes on. It is
   * tried again next time.
   */
  #cache(key: string, make: () => Int16Array | Promise<Int16Array>): Promise<Sound> {
    const cached = this.#cached.get(key);
    if (cached) {
      // Moved to the end: the least recently used one is first.
      this.#cached.delete(key);
      this.#cached.set(key, cached);
      return cached;
    }
    const sound = (async () => {
      const pcm = await make();
      return { pcm, frames: await encode(pcm) };
    })().catch((error: unknown) => {
      this.log('A sound could not be created', { sound: key.slice(0, 80), because: String(error) });
      this.#cached.delete(key);
      return emptySound;
    });
    this.#cached.set(key, sound);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= maxCachedSounds) break;
      this.#cached.delete(oldest);
    }
    return sound;
  }
}
