/**
 * Records legs into a 16 kHz WAV file, one channel a side. Audio is placed by its own timestamps,
 * so that neither a burst nor a silence shifts the channels against each other. It is written to
 * disk as it arrives: an hour's call needs no more memory than a short one.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { WaveformPeaks } from '../platform/audio/loudness.ts';
import { frameSamples, sampleRate } from '../platform/audio/resample.ts';
import { interleave, wavHeader, wavHeaderBytes } from '../platform/audio/wav.ts';
import type { AudioFrame } from './leg-types.ts';
import { StreamDecoder } from './opus.ts';

const samplesPerMs = sampleRate / 1000;
/** Audio that arrives later than this is dropped. */
const lateToleranceSamples = 500 * samplesPerMs;
const bufferSamples = 4 * sampleRate;
/** When a source's clock is off by more than this, its audio is aligned to the wall clock again. */
const clockToleranceSamples = 200 * samplesPerMs;
/** Packets that waited while the process was busy arrive late together, for no longer than this. */
const burstMs = 1000;
/** Later than this is no burst: the source counts from elsewhere. */
const jumpSamples = 5000 * samplesPerMs;
/** About −40 dB of full scale: quieter is silence. */
const audibleLevel = 330;

/** One speaker on a channel. */
interface Speaker {
  decoder: StreamDecoder | null;
  source: unknown;
  /** Position of the source's timestamp 0 in the recording, in samples. */
  shift: number;
  /** Since when all of its audio came late (`performance.now()`); null: it came in time. */
  lateSinceMs: number | null;
}

interface Channel {
  samples: Int16Array;
  /** Speakers who share a channel are mixed. */
  speakers: Map<unknown, Speaker>;
  peaks: WaveformPeaks;
}

interface RecordingFile {
  path: string;
  durationMs: number;
  channels: number;
  peaks: number[][];
}

export class Recording {
  readonly #channels: Channel[];
  /** Samples per channel that are on disk. */
  #written = 0;
  #file: Promise<FileHandle>;
  #writing: Promise<unknown> = Promise.resolve();
  #finished: Promise<RecordingFile> | null = null;
  /** `performance.now()` of the last audible sound, or of the start. */
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

  /**
   * Adds 20 ms of audio to a channel. `speakerKey` identifies the speaker on it. RTP timestamps of
   * Opus count at 48 kHz: three ticks a sample.
   */
  write(index: number, speakerKey: unknown, frame: AudioFrame, nowMs: number): void {
    const channel = this.#channels[index];
    if (!channel || this.#finished) return;
    const speaker = channel.speakers.get(speakerKey) ?? newSpeaker();
    channel.speakers.set(speakerKey, speaker);
    const pcm = frame.pcm ?? (speaker.decoder ??= new StreamDecoder()).decode(frame.opus);
    const wall = Math.round((nowMs - this.startedMs) * samplesPerMs);
    const sourceTime = Math.round(frame.timestamp / 3);
    if (frame.source !== speaker.source || isOffClock(speaker, sourceTime - wall, nowMs)) {
      speaker.source = frame.source;
      speaker.shift = wall - sourceTime;
      speaker.lateSinceMs = null;
    }
    const at = sourceTime + speaker.shift;
    if (isAudible(pcm)) this.lastAudibleMs = nowMs;
    const { samples } = channel;
    const shared = channel.speakers.size > 1;
    for (let i = 0; i < pcm.length; i++) {
      const place = at + i - this.#written;
      if (place < 0 || place >= samples.length) continue;
      const value = pcm[i] ?? 0;
      samples[place] = shared ? clip((samples[place] ?? 0) + value) : value;
    }
  }

  /** The speaker no longer speaks on this channel. */
  removeSpeaker(index: number, speakerKey: unknown): void {
    const channel = this.#channels[index];
    channel?.speakers.get(speakerKey)?.decoder?.release();
    channel?.speakers.delete(speakerKey);
  }

  /** Writes what can no longer change to disk. Call at least every second. */
  flush(nowMs: number): void {
    const ready = Math.round((nowMs - this.startedMs) * samplesPerMs) - lateToleranceSamples;
    if (!this.#finished && ready - this.#written >= sampleRate / 2) this.#flushTo(ready);
  }

  /** Ends the recording. Calling it again returns the same result. */
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

const newSpeaker = (): Speaker => ({ decoder: null, source: null, shift: 0, lateSinceMs: null });

/**
 * Whether a speaker's audio, `offset` samples from the wall clock before its shift, must be aligned
 * to it again. Audio that is merely late keeps its place: aligned packet by packet, a burst would
 * overwrite itself.
 */
function isOffClock(speaker: Speaker, offset: number, nowMs: number): boolean {
  const ahead = offset + speaker.shift;
  if (ahead >= -clockToleranceSamples) {
    speaker.lateSinceMs = null;
    return ahead > clockToleranceSamples;
  }
  speaker.lateSinceMs ??= nowMs;
  return ahead < -jumpSamples || nowMs - speaker.lateSinceMs > burstMs;
}

const clip = (value: number): number => Math.max(-32768, Math.min(32767, value));

function isAudible(pcm: Int16Array): boolean {
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  return sum > audibleLevel * audibleLevel * Math.max(pcm.length, frameSamples);
}
