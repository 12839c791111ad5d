import { fail } from '../errors.ts';

/** Bodies up to this size (64 kB) are never rejected because of other requests. */
export const UNCOUNTED_BYTES = 64 * 1024;

/** The bytes of one body. */
export interface ByteCount {
  /** Adds bytes and returns the total of this body. @throws ApiError `busy` beyond the limit */
  add(bytes: number): number;
  /** Stops counting this body. Later calls do nothing. */
  free(): void;
}

/**
 * Counts the bytes of all bodies that a process receives or works on.
 * @param maxBytes limit of all of them together
 * @returns starts the count of one body
 */
export function countBytesInFlight(maxBytes: number): () => ByteCount {
  let inFlight = 0;
  return () => {
    let received = 0;
    let counted = 0;
    let closed = false;
    return {
      add: (bytes) => {
        received += bytes;
        if (closed) return received;
        const uncounted = Math.max(0, received - UNCOUNTED_BYTES) - counted;
        if (inFlight + uncounted > maxBytes) fail('busy');
        inFlight += uncounted;
        counted += uncounted;
        return received;
      },
      free: () => {
        if (closed) return;
        closed = true;
        inFlight -= counted;
      },
    };
  };
}
