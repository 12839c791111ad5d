/**
 * Carrier trouble, switched on from the handset page or by PUT /sandbox/trouble. Every process of the sandbox
 * (web, worker, media) reads the same small file, so that one switch troubles calls, texts and receipts alike.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const rate = z.number().min(0).max(1);

export const Faults = z.object({
  /** Receipts and call events arrive this much later, milliseconds. */
  lateReceiptsMs: z.number().int().min(0).max(600_000).default(0),
  /** Share of receipts and events that are sent twice. */
  duplicateRate: rate.default(0),
  /** Share of receipts and events that let the next one overtake them. */
  reorderRate: rate.default(0),
  /** Share of requests to the carrier that are answered 500 and do nothing. */
  errorRate: rate.default(0),
  /** Share of requests that take effect, but whose connection drops before the answer. */
  dropAfterEffectRate: rate.default(0),
  /** Share of texts whose request is never answered; every other one takes effect all the same. */
  hangRate: rate.default(0),
  /** The carrier is away: requests are answered 503, nothing is reported until it returns. */
  outage: z.boolean().default(false),
});
export type Faults = z.infer<typeof Faults>;

export const noFaults: Faults = Faults.parse({});

/** How long a process may act on an old reading of the file. */
const rereadAfterMs = 200;

let file: string | null = null;
let cachedFaults: Faults = noFaults;
let readAt = -Infinity;

/** Name the file shared by this machine's processes. Without it, trouble stays inside this process (tests). */
export function shareFaultsIn(path: string | null): void {
  file = path;
  cachedFaults = noFaults;
  readAt = -Infinity;
}

/** The switches as they stand now. */
export function currentFaults(): Faults {
  if (file === null || performance.now() - readAt < rereadAfterMs) return cachedFaults;
  readAt = performance.now();
  try {
    // Read each time: two changes within one tick of the file system's clock carry the same time.
    cachedFaults = Faults.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // No file yet, or a file nobody can read: an untroubled carrier is the safe answer.
    cachedFaults = noFaults;
  }
  return cachedFaults;
}

/** Set all switches; what is left out is off. */
export function setFaults(next: Partial<Faults>): Faults {
  const whole = Faults.parse(next);
  cachedFaults = whole;
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true });
    // Written aside and renamed, so that no process reads half a file.
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(whole));
    renameSync(aside, file);
    readAt = -Infinity;
  }
  return whole;
}

/** Does this happen to the one at hand? */
export function shouldFail(rate: number): boolean {
  return rate > 0 && Math.random() < rate;
}
