/**
 * Simulated carrier faults, set on the handset page or by PUT /sandbox/faults. Every process of
 * the sandbox (web, worker, media) reads the same small file, so that the faults apply to calls,
 * texts and receipts alike.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const rate = z.number().min(0).max(1);

export const Faults = z.object({
  /** Delay of receipts and call events. Milliseconds. */
  lateReceiptsMs: z.number().int().min(0).max(600_000).default(0),
  /** Share of receipts and events that are sent twice. */
  duplicateRate: rate.default(0),
  /** Share of receipts and events that the next one overtakes. */
  reorderRate: rate.default(0),
  /** Share of requests to the carrier that are answered 500 and do nothing. */
  errorRate: rate.default(0),
  /** Share of requests that take effect, but whose connection drops before the response. */
  dropAfterEffectRate: rate.default(0),
  /** Share of texts whose request is never answered; half of them take effect all the same. */
  hangRate: rate.default(0),
  /**
   * The carrier is unreachable: requests are answered 503 and nothing is reported until it returns.
   */
  outage: z.boolean().default(false),
});
export type Faults = z.infer<typeof Faults>;

export const noFaults: Faults = Faults.parse({});

/** How long a process uses what it read before reading the file again. */
const rereadAfterMs = 200;

let file: string | null = null;
let cachedFaults: Faults = noFaults;
let readAt = -Infinity;

/**
 * Sets the file that this machine's processes share. Null: faults apply to this process only
 * (tests).
 */
export function shareFaultsIn(path: string | null): void {
  file = path;
  cachedFaults = noFaults;
  readAt = -Infinity;
}

/** The faults that are set now. */
export function currentFaults(): Faults {
  if (file === null || performance.now() - readAt < rereadAfterMs) return cachedFaults;
  readAt = performance.now();
  try {
    // Not compared by modification time: two changes within one tick of the file system's clock
    // have the same.
    cachedFaults = Faults.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // No file yet, or an unreadable one: no faults is the safe default.
    cachedFaults = noFaults;
  }
  return cachedFaults;
}

/** Sets all faults; those left out are off. */
export function setFaults(next: Partial<Faults>): Faults {
  const faults = Faults.parse(next);
  cachedFaults = faults;
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true });
    // Written to a temporary file and renamed, so that no process reads half a file.
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(faults));
    renameSync(temporary, file);
    readAt = -Infinity;
  }
  return faults;
}

/** True at random with this probability. */
export function shouldFail(rate: number): boolean {
  return rate > 0 && Math.random() < rate;
}
