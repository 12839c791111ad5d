/**
 * Opus at 16 kHz mono in 20 ms frames. Coders are expensive to create, so those of streams are
 * reused, and whole sounds are encoded one at a time with one encoder.
 */
import { Decoder, Encoder } from '@evan/opus';
import { frameSamples, sampleRate } from '../platform/audio/resample.ts';

/** A frame of silence. */
export const silentFrame = Buffer.from([0xf8, 0xff, 0xfe]);

/** Frames encoded before the event loop serves calls again (about half a millisecond). */
const framesPerSlice = 5;

let encoder: Encoder | null = null;
let queue: Promise<unknown> = Promise.resolve();

/** Encodes a whole sound; the last frame is padded with silence. */
export function encode(pcm: Int16Array): Promise<Buffer[]> {
  const encoded = queue.then(() => encodeFrames(pcm));
  queue = encoded.catch(() => undefined);
  return encoded;
}

async function encodeFrames(pcm: Int16Array): Promise<Buffer[]> {
  encoder ??= createEncoder();
  encoder.reset();
  const frames: Buffer[] = [];
  for (let at = 0; at < pcm.length; at += frameSamples) {
    let frame = pcm.subarray(at, at + frameSamples);
    if (frame.length < frameSamples) {
      const padded = new Int16Array(frameSamples);
      padded.set(frame);
      frame = padded;
    }
    frames.push(Buffer.from(encoder.encode(frame)));
    if (frames.length % framesPerSlice === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return frames;
}

const idleDecoders: Decoder[] = [];

/** The decoder of one stream; release it afterwards. A broken packet decodes to silence. */
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
      // Copied, because the decoder reuses its memory for the next packet.
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

/** The encoder of one live stream (20 ms frames); release it afterwards. */
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
  const created = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  created.complexity = 5;
  created.bitrate = 24_000;
  return created;
}
