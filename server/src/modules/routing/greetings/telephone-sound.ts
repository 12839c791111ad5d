/** Converts uploads to telephone audio: 8 kHz, mono (A7.4). */
import { mixDown, resample } from '../../../platform/audio/resample.ts';
import { readWav, writeWav } from '../../../platform/audio/wav.ts';
import { maxGreetingMs } from '#contract/routing/greetings/rules';

const telephoneRate = 8000;
/** Common sampling rates, Hz. Each needs its own resampling filter, so no others are accepted. */
const rates = new Set([
  8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000,
]);

export interface TelephoneSound {
  wav: Buffer;
  durationMs: number;
}

/** Decodes an uploaded file by its first bytes, not its name; or says why it cannot. */
export async function decodeSound(bytes: Buffer): Promise<TelephoneSound | { why: string }> {
  if (bytes.length === 0) return { why: 'it is empty.' };
  if (isMp3(bytes)) return decodeMp3(bytes);
  const other = unsupportedFormat(bytes);
  if (other !== null)
    return {
      why: `it is ${other}. Send an MP3 or WAV file, or add it on the Greetings screen, where your browser converts it.`,
    };
  const wav = decodeWav(bytes);
  if (wav === null)
    return { why: 'it isn’t an MP3 file or a WAV file with PCM, float, µ-law or A-law audio.' };
  if (!rates.has(wav.sampleRate))
    return { why: `its sample rate of ${wav.sampleRate} Hz isn’t supported.` };
  if (wav.channels.length > 8) return { why: 'it has too many channels.' };
  return telephoneSound(mixDown(wav.channels), wav.sampleRate);
}

/** PCM samples at a known rate as telephone audio; or why not: too long, or too short. */
export function telephoneSound(pcm: Int16Array, rate: number): TelephoneSound | { why: string } {
  const longest = (maxGreetingMs / 1000) * rate;
  if (pcm.length > longest) return { why: `it is longer than ${maxGreetingMs / 60_000} minutes.` };
  if (pcm.length < rate / 10) return { why: 'it has no audio.' };
  const samples = resample(pcm, rate, telephoneRate);
  return {
    wav: writeWav({ sampleRate: telephoneRate, channels: [samples] }),
    durationMs: Math.round((samples.length * 1000) / telephoneRate),
  };
}

const isMp3 = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 3) === 'ID3' ||
  ((bytes[0] ?? 0) === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2);
/**
 * Bytes decoded at a time: a small file can hold hours of silence, so decoding stops at the limit.
 */
const chunkBytes = 64 * 1024;

async function decodeMp3(bytes: Buffer): Promise<TelephoneSound | { why: string }> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const chunks: Int16Array[] = [];
    let [rate, length] = [0, 0];
    for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(
        bytes.subarray(offset, offset + chunkBytes),
      );
      if (samplesDecoded === 0) continue;
      rate ||= sampleRate;
      const channels = channelData.map((one) =>
        Int16Array.from(one, (v) => Math.max(-1, Math.min(1, v)) * 32_767),
      );
      const pcm = mixDown(channels);
      chunks.push(pcm);
      length += pcm.length;
      if (length > (maxGreetingMs / 1000) * rate) break;
    }
    if (!rates.has(rate)) return { why: 'it is an MP3 file without readable audio.' };
    const samples = new Int16Array(length);
    let position = 0;
    for (const chunk of chunks) {
      samples.set(chunk, position);
      position += chunk.length;
    }
    return telephoneSound(samples, rate);
  } finally {
    decoder.free();
  }
}

function decodeWav(bytes: Buffer): ReturnType<typeof readWav> {
  try {
    return readWav(bytes);
  } catch (error) {
    // The header claims more data than the file has.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function unsupportedFormat(bytes: Buffer): string | null {
  const begins = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (begins('OggS')) return 'an Ogg file';
  if (bytes.length > 3 && bytes.readUInt32BE(0) === 0x1a45dfa3) return 'a WebM file';
  if (begins('ftyp', 4)) return 'an MPEG-4 file';
  if (begins('fLaC')) return 'a FLAC file';
  return null;
}
