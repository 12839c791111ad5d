/**
 * Recordings of calls and voicemails, and the files that wait until the product has fetched them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { LegEvents } from './leg-events.ts';
import type { Leg } from './leg.ts';
import { Recording } from './recording.ts';
import { attachListeners } from './recording-listeners.ts';

/** Files that the product has not fetched by then are deleted. */
const fileTtlMs = 24 * 60 * 60_000;
/** Silence at the start of a voicemail does not count for this long. */
const silenceGraceMs = 1500;

interface ActiveRecording {
  id: string;
  recording: Recording;
  /** Every leg that was ever recorded here; events are about the first. */
  legs: Leg[];
  /** The legs recorded now, one list a channel. */
  sides: Leg[][];
  /** Limits of a voicemail; null for a call. */
  voicemail: { maxSeconds: number; silenceSeconds: number } | null;
  stopListening: () => void;
  /** Called when the recording is over. */
  onEnd: () => void;
}

/** What recordings ask of the exchange. */
interface RecordingHost {
  readonly events: LegEvents;
  readonly log: (message: string, detail: object) => void;
}

export class Recordings {
  readonly #going = new Map<string, ActiveRecording>();
  /** Files that the product has yet to fetch. */
  readonly #unfetched = new Set<string>();
  #exchange: RecordingHost | null = null;
  #address = '';
  #flushedMs = 0;

  constructor(
    private readonly folder: string,
    private readonly secret: string,
  ) {
    mkdirSync(folder, { recursive: true });
    this.deleteExpired();
  }

  /** Deletes files older than a day. */
  deleteExpired(): void {
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (Date.now() - statSync(path).mtimeMs > fileTtlMs) unlinkSync(path);
    }
  }

  /** `address`: the base URL the product fetches files from. */
  open(exchange: RecordingHost, address: string): void {
    this.#exchange = exchange;
    this.#address = address;
  }

  /** Records a call, one channel a leg, until `stop` or until the last leg of either side ends. */
  startCall(id: string, legs: [Leg, Leg]): void {
    if (!this.#going.has(id)) this.#start(id, legs, null, () => undefined);
  }

  /** Records one leg's voicemail; resolves when it is over. */
  recordVoicemail(
    id: string,
    leg: Leg,
    limits: { maxSeconds: number; silenceSeconds: number },
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || leg.state === 'ended' || this.#going.has(id)) return resolve();
      this.#start(id, [leg], limits, resolve);
      signal.addEventListener('abort', () => this.stop(id), { once: true });
    });
  }

  isLeavingVoicemail(leg: Leg): boolean {
    return [...this.#going.values()].some((entry) => entry.voicemail && entry.legs[0] === leg);
  }

  /** # ends a voicemail. True when the key did. */
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
      const remaining = (entry.sides[side] ?? []).filter((other) => other !== leg);
      if (remaining.length === 0) this.stop(entry.id);
      else this.#change(entry, entry.sides.with(side, remaining));
    }
  }

  /** Sets which legs are recorded on which channel from now on. */
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
    this.#unfetched.add(`${fileName(id)}.wav`);
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
      const waiting = legs[0]?.speaking ?? false;
      if (
        nowMs - recording.startedMs >= voicemail.maxSeconds * 1000 ||
        (!waiting && silentMs >= voicemail.silenceSeconds * 1000)
      )
        this.stop(id);
    }
  }

  /** Whether something is being recorded, or waits to be fetched. */
  get isWaiting(): boolean {
    return this.#going.size + this.#unfetched.size > 0;
  }

  /** The product has it. */
  readonly fetched = (name: string) => this.#unfetched.delete(name);

  /** The path of a file whose URL we signed; null when the signature is wrong. */
  fileOf(name: string, signature: string): string | null {
    const expected = Buffer.from(this.#sign(name));
    const given = Buffer.from(signature);
    return /^[\w-]+\.wav$/.test(name) &&
      given.length === expected.length &&
      timingSafeEqual(given, expected)
      ? join(this.folder, name)
      : null;
  }

  #start(
    id: string,
    legs: Leg[],
    voicemail: ActiveRecording['voicemail'],
    onEnd: () => void,
  ): void {
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
      onEnd,
    });
  }

  async #finish({ id, recording, legs, sides, onEnd }: ActiveRecording): Promise<void> {
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
        this.#exchange?.events.report(first, {
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
    } catch (error) {
      this.fetched(`${fileName(id)}.wav`);
      this.#exchange?.log('A recording could not be saved', {
        recording: id,
        because: String(error),
      });
    }
    onEnd();
  }

  #sign(name: string): string {
    return createHmac('sha256', this.secret).update(`recording:${name}`).digest('hex');
  }
}

/** Recording ids are the product's. One that is not a plain file name is replaced by its digest. */
function fileName(id: string): string {
  return /^[\w-]{1,80}$/.test(id)
    ? id
    : createHmac('sha256', 'recording').update(id).digest('hex').slice(0, 32);
}
