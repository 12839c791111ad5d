/** Which legs are being written down, when that ends, and where the files wait until the product has fetched them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from './exchange.ts';
import type { Leg, AudioFrame } from './leg.ts';
import { Recording } from './recording.ts';

const fileTtlMs = 24 * 60 * 60_000;
const silenceGraceMs = 1500;

interface ActiveRecording {
  id: string;
  recording: Recording;
  /** Everybody who was ever written down here; the first names the call. */
  legs: Leg[];
  /** Who is now, a list a channel. */
  sides: Leg[][];
  /** Whom the event is about: the caller, or the voicemail's leg. */
  voicemail: { maxSeconds: number; silenceSeconds: number } | null;
  stopListening: () => void;
  resolve: () => void;
}

export class Recordings {
  readonly #going = new Map<string, ActiveRecording>();
  #exchange: Exchange | null = null;
  #address = '';
  #flushedMs = 0;

  constructor(
    private readonly folder: string,
    private readonly secret: string,
  ) {
    mkdirSync(folder, { recursive: true });
    this.deleteExpired();
  }

  /** What the product has not fetched within a day is deleted. */
  deleteExpired(): void {
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (Date.now() - statSync(path).mtimeMs > fileTtlMs) unlinkSync(path);
    }
  }

  /** `address` is where the product fetches files from. */
  open(exchange: Exchange, address: string): void {
    this.#exchange = exchange;
    this.#address = address;
  }

  /** A call between two legs, one channel each, until `stop` or the last leg of either side ends. */
  startCall(id: string, legs: [Leg, Leg]): void {
    if (!this.#going.has(id)) this.#start(id, legs, null, () => undefined);
  }

  /** One leg's message; resolves when it is over. */
  recordVoicemail(
    id: string,
    leg: Leg,
    limits: { maxSeconds: number; silenceSeconds: number },
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((over) => {
      if (signal.aborted || leg.state === 'ended' || this.#going.has(id)) return over();
      this.#start(id, [leg], limits, over);
      signal.addEventListener('abort', () => this.stop(id), { once: true });
    });
  }

  isLeavingVoicemail(leg: Leg): boolean {
    return [...this.#going.values()].some((entry) => entry.voicemail && entry.legs[0] === leg);
  }

  /** Pressing # ends a message. */
  stopByKey(leg: Leg, digit: string): boolean {
    const entry = [...this.#going.values()].find(
      ({ voicemail, legs }) => voicemail && legs[0] === leg,
    );
    if (!entry || digit !== '#') return false;
    this.stop(entry.id);
    return true;
  }

  legEnded(leg: Leg): void {
    for (const entry of [...this.#going.values()]) {
      const side = entry.sides.findIndex((legs) => legs.includes(leg));
      if (side === -1) continue;
      const left = (entry.sides[side] ?? []).filter((other) => other !== leg);
      if (left.length === 0) this.stop(entry.id);
      else this.#change(entry, entry.sides.with(side, left));
    }
  }

  /** Who is written down on which channel from now on. */
  setSides(id: string, sides: Leg[][]): void {
    const entry = this.#going.get(id);
    if (entry && !entry.voicemail)
      this.#change(
        entry,
        sides.map((legs) => legs.filter(({ state }) => state === 'answered')),
      );
  }

  #change(entry: ActiveRecording, sides: Leg[][]): void {
    entry.stopListening();
    entry.sides.forEach((legs, channel) =>
      legs.forEach(
        (leg) => sides[channel]?.includes(leg) || entry.recording.removeSpeaker(channel, leg),
      ),
    );
    entry.sides = sides;
    entry.stopListening = attachListeners(entry.recording, sides);
    for (const leg of sides.flat()) if (!entry.legs.includes(leg)) entry.legs.push(leg);
  }

  stop(id: string): void {
    const entry = this.#going.get(id);
    if (!entry) return;
    this.#going.delete(id);
    entry.stopListening();
    void this.#finish(entry);
  }

  tick(nowMs: number): void {
    if (this.#going.size === 0 || nowMs - this.#flushedMs < 200) return;
    this.#flushedMs = nowMs;
    for (const { id, recording, voicemail, legs } of [...this.#going.values()]) {
      recording.flush(nowMs);
      if (!voicemail) continue;
      const silentMs =
        nowMs - Math.max(recording.lastAudibleMs, recording.startedMs + silenceGraceMs);
      const waiting = legs[0]?.pendingSpeech !== null || legs[0].speaking;
      if (
        nowMs - recording.startedMs >= voicemail.maxSeconds * 1000 ||
        (!waiting && silentMs >= voicemail.silenceSeconds * 1000)
      )
        this.stop(id);
    }
  }

  /** The file behind an address we gave out, or null. */
  fileOf(name: string, signature: string): string | null {
    const expected = Buffer.from(this.#sign(name));
    const given = Buffer.from(signature);
    return /^[\w-]+\.wav$/.test(name) &&
      given.length === expected.length &&
      timingSafeEqual(given, expected)
      ? join(this.folder, name)
      : null;
  }

  #start(id: string, legs: Leg[], voicemail: ActiveRecording['voicemail'], over: () => void): void {
    const recording = new Recording(
      join(this.folder, `${fileName(id)}.wav`),
      legs.length,
      performance.now(),
    );
    const sides = legs.map((leg) => [leg]);
    this.#going.set(id, {
      id,
      recording,
      legs: [...legs],
      sides,
      voicemail,
      stopListening: attachListeners(recording, sides),
      resolve: over,
    });
  }

  async #finish({ id, recording, legs, sides, resolve: over }: ActiveRecording): Promise<void> {
    const endedMs = performance.now();
    try {
      const { durationMs, peaks } = await recording.finish(endedMs);
      const name = `${fileName(id)}.wav`;
      const speech = legs.flatMap((leg) =>
        leg.spokenTexts
          .filter(({ atMs, untilMs }) => untilMs > recording.startedMs && atMs < endedMs)
          .map(({ text, atMs }) => ({
            leg: leg.id,
            text,
            startMs: Math.max(0, Math.round(atMs - recording.startedMs)),
          })),
      );
      const [first] = legs;
      if (first)
        this.#exchange?.report(first, {
          type: 'recordingReady',
          recordingId: id,
          url: `${this.#address}/recordings/${name}?signature=${this.#sign(name)}`,
          contentType: 'audio/wav',
          durationMs,
          channels: sides.length === 2 ? 2 : 1,
          peaks,
          ...(speech.length > 0
            ? { speech: speech.toSorted((a, b) => a.startMs - b.startMs) }
            : {}),
        });
    } catch (trouble) {
      this.#exchange?.log('A recording could not be saved', {
        recording: id,
        because: String(trouble),
      });
    }
    over();
  }

  #sign(name: string): string {
    return createHmac('sha256', this.secret).update(`recording:${name}`).digest('hex');
  }
}

/** Write down what these legs say, each side on its channel. Answers how to stop. */
function attachListeners(recording: Recording, sides: readonly Leg[][]): () => void {
  const stops = sides.flatMap((legs, channel) =>
    legs.map((leg) => {
      const listener = (voice: AudioFrame, nowMs: number): void =>
        recording.write(channel, leg, voice, nowMs);
      leg.listeners.add(listener);
      return () => leg.listeners.delete(listener);
    }),
  );
  return () => stops.forEach((stop) => stop());
}

/** Recording ids are the product's; what is no plain name is told apart by its digest. */
function fileName(id: string): string {
  return /^[\w-]{1,80}$/.test(id)
    ? id
    : createHmac('sha256', 'recording').update(id).digest('hex').slice(0, 32);
}
