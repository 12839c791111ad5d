import { crc32 } from 'node:zlib';
import type { z } from 'zod';

/**
 * How a job runs. Every kind declares all of it, so that whoever queues a job says only what it is about and when it is due.
 */
export interface JobPolicy<Payload> {
  /** Which workers run it (`queues`). */
  queue: Queue;
  /** An attempt that takes longer has failed; seconds. */
  timeoutSeconds: number;
  /**
   * What may run at the same time, in all processes: any number (`allowed`), one of this job
   * (`never`), or one for each string that this returns, whatever the job: `contacts-7`. The library
   * keeps every string for ever and locks them all to take a job: use `spread` where there are many.
   */
  overlap: 'allowed' | 'never' | ((payload: Payload) => string);
  /** How often a failed attempt is repeated, after 3 s, 7 s, 20 s … and at most 6 hours. */
  retries: number;
}

/**
 * Where jobs run beside each other, and how many at a time in one process, so that no amount of one
 * kind delays another (decisions 48 and 115). `texts`: texts, keywords and their receipts.
 * `documents`: what renders, decodes or fetches files, and carriers' slow paperwork. `bulk`: imports,
 * exports and changes of many. `default`: the rest, none of which takes long.
 */
export const queues = { texts: 6, default: 8, documents: 4, bulk: 3 } as const;
export type Queue = keyof typeof queues;

/** As many jobs as this can run beside each other, of those that a `spread` keeps apart. */
const SPREAD = 512;

/**
 * An overlap group for a key of which there are very many (a conversation): jobs of one key never
 * overlap; those of two keys hardly ever wait for each other.
 */
export const spread = (name: string, key: string): string => `${name}-${crc32(key) % SPREAD}`;

/**
 * A kind of job: what it is called, the shape of its payload and how it runs. `enqueue` takes the
 * kind, so a wrong payload doesn't compile; `runJob` gives it what it runs.
 */
export interface JobKind<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  readonly policy: JobPolicy<Payload>;
}
export const jobKind = <Payload>(
  name: string,
  payload: z.ZodType<Payload>,
  policy: JobPolicy<Payload>,
): JobKind<Payload> => ({ name, payload, policy });

/** The group of which one job runs at a time; null: any number. Throws for a payload of another shape. */
export function overlapGroup<Payload>(kind: JobKind<Payload>, payload: unknown): string | null {
  const { overlap } = kind.policy;
  if (overlap === 'allowed') return null;
  return overlap === 'never' ? kind.name : overlap(kind.payload.parse(payload));
}
