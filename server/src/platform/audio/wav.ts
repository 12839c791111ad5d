/**
 * WAV files: writes 16-bit PCM; reads 8/16/24/32-bit PCM, 32- and 64-bit float, µ-law and A-law, also
 * in the forms RF64 (larger than 4 GB) and RIFX (big-endian).
 */
import { decode } from './g711.ts';

export interface Wav {
  sampleRate: number;
  /** One array per channel, all of the same length. */
  channels: Int16Array[];
}

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const ascii = (bytes: Uint8Array, from: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + 4));

interface Format {
  kind: number;
  channels: number;
  sampleRate: number;
  bits: number;
  isLittle: boolean;
}
const pcm = 1;
const float = 3;
const aLaw = 6;
const muLaw = 7;
/** The actual kind is in the first bytes of a GUID. */
const extensible = 0xfffe;

/** Parses a WAV file. Null when the bytes are not a WAV file in a supported sample format. */
export function readWav(bytes: Uint8Array): Wav | null {
  const container = bytes.length < 12 ? '' : ascii(bytes, 0);
  if (!['RIFF', 'RF64', 'RIFX'].includes(container) || ascii(bytes, 8) !== 'WAVE') return null;
  const isLittle = container !== 'RIFX';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format = { kind: 0, channels: 0, sampleRate: 0, bits: 0, isLittle };
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, isLittle);
    const body = at + 8;
    if (ascii(bytes, at) === 'fmt ') {
      const kind = view.getUint16(body, isLittle);
      format = {
        kind: kind === extensible ? view.getUint16(body + 24, isLittle) : kind,
        channels: view.getUint16(body + 2, isLittle),
        sampleRate: view.getUint32(body + 4, isLittle),
        bits: view.getUint16(body + 14, isLittle),
        isLittle,
      };
    }
    // A streamed file has a length of 0 or 2^32-1, because its end was not known, and RF64 always has
    // that: read what follows.
    if (ascii(bytes, at) === 'data')
      return samples(
        view,
        body,
        Math.min(length === 0 ? Infinity : length, bytes.length - body),
        format,
      );
    at = body + length + (length % 2);
  }
  return null;
}

const ofUnit = (value: number): number => Math.max(-1, Math.min(1, value || 0)) * 32767;
/** Reads a sample of this format at a byte as 16 bits; null: it isn't supported. */
function reader(view: DataView, { kind, bits, isLittle }: Format): ((at: number) => number) | null {
  if (kind === float && bits === 32) return (at) => ofUnit(view.getFloat32(at, isLittle));
  if (kind === float && bits === 64) return (at) => ofUnit(view.getFloat64(at, isLittle));
  if ((kind === muLaw || kind === aLaw) && bits === 8) {
    const table = decode(
      kind === muLaw ? 'PCMU' : 'PCMA',
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    );
    return (at) => table[view.getUint8(at)] ?? 0;
  }
  if (kind !== pcm) return null;
  if (bits === 8) return (at) => (view.getUint8(at) - 128) << 8;
  // The upper two bytes of each sample.
  const upper = isLittle ? bits / 8 - 2 : 0;
  return bits === 16 || bits === 24 || bits === 32
    ? (at) => view.getInt16(at + upper, isLittle)
    : null;
}

function samples(view: DataView, from: number, length: number, format: Format): Wav | null {
  const { kind, channels, sampleRate, bits } = format;
  const read = channels < 1 || sampleRate < 1000 ? null : reader(view, format);
  if (read === null) return null;
  const width = bits / 8;
  const frames = Math.floor(length / width / channels);
  // The most common format: read in place, so that an hour of it does not block the event loop.
  if (kind === pcm && bits === 16 && channels === 1 && format.isLittle && littleEndian) {
    return {
      sampleRate,
      channels: [
        new Int16Array(
          view.buffer.slice(
            view.byteOffset + from,
            view.byteOffset + from + frames * 2,
          ) as ArrayBuffer,
        ),
      ],
    };
  }
  return {
    sampleRate,
    channels: Array.from({ length: channels }, (_, channel) =>
      Int16Array.from({ length: frames }, (_unused, i) =>
        read(from + (i * channels + channel) * width),
      ),
    ),
  };
}

export const wavHeaderBytes = 44;

/** The header of a 16-bit PCM file. `frames`: samples per channel. */
export function wavHeader(channels: number, sampleRate: number, frames: number): Buffer {
  const header = Buffer.alloc(wavHeaderBytes);
  const bytes = frames * channels * 2;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** A 16-bit PCM file of these channels, which are of one length. */
export function writeWav({ sampleRate, channels }: Wav): Buffer {
  const frames = channels[0]?.length ?? 0;
  return Buffer.concat([
    wavHeader(channels.length, sampleRate, frames),
    interleave(channels, 0, frames),
  ]);
}

/**
 * Samples `from` (inclusive) to `to` (exclusive) of every channel, interleaved as a WAV file stores
 * them.
 */
export function interleave(channels: Int16Array[], from: number, to: number): Buffer {
  const interleaved = new Int16Array((to - from) * channels.length);
  channels.forEach((samplesOfOne, channel) => {
    for (let i = from; i < to; i++)
      interleaved[(i - from) * channels.length + channel] = samplesOfOne[i] ?? 0;
  });
  return Buffer.from(interleaved.buffer);
}
