/**
 * Writes down what legs say, one channel a leg, as a 16 kHz WAV file. Every piece of sound is put where it belongs
 * in time by its own timestamps, so that neither a burst nor a silence moves the two voices against each other.
 * It goes to disk as it comes: an hour's call costs no more memory than a short one.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { WaveformPeaks } from '../platform/audio/loudness.ts';
import { frameSamples, sampleRate } from '../platform/audio/resample.ts';
import { interleave, wavHeader, wavHeaderBytes } from '../platform/audio/wav.ts';
import type { AudioFrame } from './leg.ts';
import { StreamDecoder } from './opus.ts';

const samplesPerMs = sampleRate / 1000;
/** Sound may come this late and still find its place. */
const lateToleranceSamples = 500 * samplesPerMs;
const bufferSamples = 4 * sampleRate;
/** Beyond this a source's clock is not believed, and its sound is placed by the wall clock anew. */
const clockToleranceSamples = 200 * samplesPerMs;
/** About −40 dB of full scale: quieter is silence. */
const audibleLevel = 330;

/** One speaker on a channel. */
interface Speaker {
  decoder: StreamDecoder | null;
  source: unknown;
  /** Where the source's timestamp zero lies, in samples. */
  shift: number;
}

interface Channel {
  samples: Int16Array;
  /** Several people may share a channel: their voices add up. */
  speakers: Map<unknown, Speaker>;
  peaks: WaveformPeaks;
}

export interface RecordingFile {
  path: string;
  durationMs: number;
  channels: number;
  peaks: number[][];
}

export class Recording {
  readonly #channels: Channel[];
  #written = 0;
  #file: Promise<FileHandle>;
  #writing: Promise<unknown> = Promise.resolve();
  #finished: Promise<RecordingFile> | null = null;
  /** performance.now() of the last audible sound, or of the beginning. */
  lastAudibleMs: number;

  constructor(
    readonly path: string,
    channels: number,
    readonly startedMs: number,
  ) {
    this.lastAudibleMs = startedMs;
    this.#channels = Array.from({ length: channels }, () => ({
      samples: new Int16Array(bufferSamples),
      speakers: new Map(),
      peaks: new WaveformPeaks(),
    }));
    this.#file = open(path, 'w');
    this.#file.catch(() => undefined);
    this.#write(wavHeader(channels, sampleRate, 0));
  }

  /** `who` tells the speakers of one channel apart. Opus in RTP counts at 48 kHz: three ticks a sample. */
  write(index: number, speakerKey: unknown, voice: AudioFrame, nowMs: number): void {
    const channel = this.#channels[index];
    if (!channel || this.#finished) return;
    const speaker = channel.speakers.get(speakerKey) ?? { decoder: null, source: null, shift: 0 };
    channel.speakers.set(speakerKey, speaker);
    const pcm = voice.pcm ?? (speaker.decoder ??= new StreamDecoder()).decode(voice.opus);
    const wall = Math.round((nowMs - this.startedMs) * samplesPerMs);
    let at = Math.round(voice.timestamp / 3) + speaker.shift;
    if (voice.source !== speaker.source || Math.abs(at - wall) > clockToleranceSamples) {
      speaker.source = voice.source;
      speaker.shift = wall - Math.round(voice.timestamp / 3);
      at = wall;
    }
    if (isAudible(pcm)) this.lastAudibleMs = nowMs;
    const room = channel.samples;
    const shared = channel.speakers.size > 1;
    for (let i = 0; i < pcm.length; i++) {
      const place = at + i - this.#written;
      if (place < 0 || place >= room.length) continue;
      const value = pcm[i] ?? 0;
      room[place] = shared ? Math.max(-32768, Math.min(32767, (room[place] ?? 0) + value)) : value;
    }
  }

  /** Somebody no longer speaks on this channel. */
  removeSpeaker(index: number, who: unknown): void {
    const channel = this.#channels[index];
    channel?.speakers.get(who)?.decoder?.release();
    channel?.speakers.delete(who);
  }

  /** Call now and then (each second is enough): what can no longer change goes to disk. */
  flush(nowMs: number): void {
    const ready = Math.round((nowMs - this.startedMs) * samplesPerMs) - lateToleranceSamples;
    if (!this.#finished && ready - this.#written >= sampleRate / 2) this.#flushTo(ready);
  }

  /** Ends it, once; asking again gives the same answer. */
  finish(nowMs: number): Promise<RecordingFile> {
    this.#finished ??= this.#finish(nowMs);
    return this.#finished;
  }

  async #finish(nowMs: number): Promise<RecordingFile> {
    const end = Math.max(this.#written, Math.round((nowMs - this.startedMs) * samplesPerMs));
    this.#flushTo(end);
    for (const channel of this.#channels)
      for (const speaker of channel.speakers.values()) speaker.decoder?.release();
    const file = await this.#file;
    await this.#writing;
    await file.write(wavHeader(this.#channels.length, sampleRate, end), 0, wavHeaderBytes, 0);
    await file.close();
    return {
      path: this.path,
      durationMs: Math.round(end / samplesPerMs),
      channels: this.#channels.length,
      peaks: this.#channels.map((channel) => channel.peaks.read()),
    };
  }

  #flushTo(end: number): void {
    while (this.#written < end) {
      const count = Math.min(end - this.#written, bufferSamples);
      this.#write(
        interleave(
          this.#channels.map(({ samples }) => samples),
          0,
          count,
        ),
      );
      for (const { samples, peaks } of this.#channels) {
        peaks.add(samples.subarray(0, count));
        samples.copyWithin(0, count);
        samples.fill(0, samples.length - count);
      }
      this.#written += count;
    }
  }

  #write(bytes: Buffer): void {
    this.#writing = this.#writing.then(async () => (await this.#file).write(bytes));
    this.#writing.catch(() => undefined);
  }
}

function isAudible(pcm: Int16Array): boolean {
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  return sum > audibleLevel * audibleLevel * Math.max(pcm.length, frameSamples);
}
