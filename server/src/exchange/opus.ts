/** Opus at 16 kHz mono in 20 ms frames. Coders are costly to make, so decoders are kept and encoding takes turns. */
import { Decoder, Encoder } from '@evan/opus';
import { frameSamples, sampleRate } from '../platform/audio/resample.ts';

/** A frame that holds nothing but silence; every Opus decoder knows it. */
export const silentFrame = Buffer.from([0xf8, 0xff, 0xfe]);

/** How many frames are encoded before calls that are going on get the processor again (about half a millisecond). */
const framesPerSlice = 5;

let encoder: Encoder | null = null;
let queue: Promise<unknown> = Promise.resolve();

/** The whole of a sound as Opus frames; the last one is filled up with silence. */
export function encode(pcm: Int16Array): Promise<Buffer[]> {
  const turn = queue.then(() => encodeFrames(pcm));
  queue = turn.catch(() => undefined);
  return turn;
}

async function encodeFrames(pcm: Int16Array): Promise<Buffer[]> {
  if (encoder === null) {
    encoder = createEncoder();
  }
  encoder.reset();
  const frames: Buffer[] = [];
  for (let at = 0; at < pcm.length; at += frameSamples) {
    let frame = pcm.subarray(at, at + frameSamples);
    if (frame.length < frameSamples) {
      const filled = new Int16Array(frameSamples);
      filled.set(frame);
      frame = filled;
    }
    frames.push(Buffer.from(encoder.encode(frame)));
    if (frames.length % framesPerSlice === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return frames;
}

const idleDecoders: Decoder[] = [];

/** A decoder of one stream. Give it back with `done`. Broken packets are silence. */
export class StreamDecoder {
  #decoder: Decoder | null;

  constructor() {
    this.#decoder = idleDecoders.pop() ?? new Decoder({ channels: 1, sample_rate: sampleRate });
    this.#decoder.reset();
  }

  decode(packet: Uint8Array): Int16Array {
    if (!this.#decoder) return new Int16Array(0);
    try {
      const bytes = this.#decoder.decode(packet);
      // Copied: the decoder uses its memory again for the next packet.
      return new Int16Array(bytes.slice().buffer);
    } catch {
      return new Int16Array(frameSamples);
    }
  }

  release(): void {
    if (this.#decoder) idleDecoders.push(this.#decoder);
    this.#decoder = null;
  }
}

const idleEncoders: Encoder[] = [];

/** An encoder of one stream that is spoken as it goes (20 ms frames). Give it back with `done`. */
export class StreamEncoder {
  #encoder: Encoder | null = null;

  encode(pcm: Int16Array): Buffer {
    if (!this.#encoder) {
      this.#encoder = idleEncoders.pop() ?? createEncoder();
      this.#encoder.reset();
    }
    return Buffer.from(this.#encoder.encode(pcm));
  }

  release(): void {
    if (this.#encoder) idleEncoders.push(this.#encoder);
    this.#encoder = null;
  }
}

function createEncoder(): Encoder {
  const made = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  made.complexity = 5;
  made.bitrate = 24_000;
  return made;
}
