/** Everything the switch can let a leg hear, made once and kept: spoken prompts, files, tones and hold music. */
import type { SpeechGateway } from '../gateways/speech.ts';
import { mixDown, resample, sampleRate } from '../platform/audio/resample.ts';
import { readWav } from '../platform/audio/wav.ts';
import { encode } from './opus.ts';
import { beep, busy, holdMusic, dtmfTones, ringing } from './tones.ts';

export interface Sound {
  pcm: Int16Array;
  /** The same in Opus, 20 ms a frame. */
  frames: Buffer[];
}

const emptySound: Sound = { pcm: new Int16Array(0), frames: [] };

/** A minute of speech is 2 MB; the oldest sounds are forgotten above this. */
const maxCachedSounds = 300;

export class Sounds {
  readonly #kept = new Map<string, Promise<Sound>>();

  constructor(
    private readonly synthesizer: SpeechGateway,
    private readonly fetchFile: (fileId: string) => Promise<Uint8Array | null>,
    private readonly log: (message: string, detail?: object) => void,
  ) {}

  speech(text: string, voice?: string, language?: string): Promise<Sound> {
    return this.#keep(
      `say ${voice ?? ''} ${language ?? ''} ${text}`,
      async () => (await this.synthesizer.synthesize({ text, voice, language })).pcm16k,
    );
  }

  /** A file of the product's; where it cannot be read, its words (when known) are read aloud instead. */
  async file(fileId: string, text?: string): Promise<Sound> {
    const sound = await this.#keep(`file ${fileId}`, async () => {
      const bytes = await this.fetchFile(fileId);
      const wav = bytes && readWav(bytes);
      if (!wav) throw new Error(bytes ? 'It isn’t a WAV file.' : 'There’s no such file.');
      return resample(mixDown(wav.channels), wav.sampleRate, sampleRate);
    });
    return sound.frames.length === 0 && text ? this.speech(text) : sound;
  }

  beep = (): Promise<Sound> => this.#keep('beep', beep);
  ringing = (): Promise<Sound> => this.#keep('ringing', ringing);
  busy = (): Promise<Sound> => this.#keep('busy', busy);
  dtmf = (digits: string): Promise<Sound> => this.#keep(`keys ${digits}`, () => dtmfTones(digits));

  /** Decisions A29: null rings back, 1 to 3 are ours, from 1000 on a greeting's file. */
  async music(id: number | null, fileId?: string): Promise<Sound> {
    if (id === null) return this.ringing();
    const own = id >= 1000 && fileId !== undefined ? await this.file(fileId) : emptySound;
    return own.frames.length > 0
      ? own
      : this.#keep(`music ${id >= 1000 ? 1 : id}`, () => holdMusic(id >= 1000 ? 1 : id));
  }

  /** A sound that cannot be made is no sound: the call goes on, and the log says why. It is tried again next time. */
  #keep(key: string, make: () => Int16Array | Promise<Int16Array>): Promise<Sound> {
    const kept = this.#kept.get(key);
    if (kept) {
      // Last used is last forgotten.
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const made = (async () => {
      const pcm = await make();
      return { pcm, frames: await encode(pcm) };
    })().catch((trouble: unknown) => {
      this.log('A sound could not be created', {
        sound: key.slice(0, 80),
        because: String(trouble),
      });
      this.#kept.delete(key);
      return emptySound;
    });
    this.#kept.set(key, made);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxCachedSounds) break;
      this.#kept.delete(oldest);
    }
    return made;
  }
}
