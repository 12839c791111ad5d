/**
 * What a span may say of its work: names that the product gives, and counts. Never what people
 * write, are called or are reached at, nor a message of an error, which may quote it.
 */
export interface SpanFacts {
  /** The pattern of a route, never its URL. */
  route?: string;
  method?: string;
  status?: number;
  /** Where a transaction's connection comes from: a lane, or what else works on the database. */
  lane?: string;
  access?: 'transaction' | 'reading' | 'snapshot' | 'system';
  job?: string;
  queue?: string;
  attempt?: number;
  event?: string;
  /** The kind of a channel, without whose it is. */
  channel?: string;
  /** The ID of the request, which its lines in the log have, too. */
  request?: string;
}

/** A span that is ended by hand. */
export interface OpenSpan {
  /** Runs what happens in it. */
  within<T>(work: () => T): T;
  end(facts: SpanFacts, isFailed: boolean): void;
}

/** What records spans. There is one while tracing is on. */
export interface Recorder {
  /** @param parent of another process, as `traceparent`; null: a new trace; undefined: what runs now */
  open(name: string, facts: SpanFacts, parent?: string | null): OpenSpan;
  /** A span that has ended already, with whose parent it came. */
  past(name: string, facts: SpanFacts, parent: string, from: Date): void;
  /** What runs now as a `traceparent`; null: nothing, or it is not recorded. */
  current(): string | null;
}

let recorder: Recorder | null = null;

/** Turns tracing on, or off with null. */
export const recordSpansWith = (one: Recorder | null): void => {
  recorder = one;
};

/** Whether spans are recorded in this process. */
export const isTracing = (): boolean => recorder !== null;

/** The trace of what runs now, to be kept with what follows from it; null: none is recorded. */
export const currentTrace = (): string | null => recorder?.current() ?? null;

/** Opens a span that something else ends; null while tracing is off. */
export const openSpan = (name: string, facts: SpanFacts, parent?: string | null): OpenSpan | null =>
  recorder?.open(name, facts, parent) ?? null;

/** Records work of others that has just ended, such as waiting in a queue. */
export const pastSpan = (name: string, facts: SpanFacts, parent: string, from: Date): void =>
  recorder?.past(name, facts, parent, from);

/** Runs `work` as a span; while tracing is off, just runs it. */
export async function inSpan<T>(
  name: string,
  facts: SpanFacts,
  work: () => Promise<T>,
  parent?: string | null,
): Promise<T> {
  if (!recorder) return work();
  const span = recorder.open(name, facts, parent);
  let isFailed = true;
  try {
    const result = await span.within(work);
    isFailed = false;
    return result;
  } finally {
    span.end({}, isFailed);
  }
}

/** The same inside of a trace only: what timers do begins none. */
export const inSpanOfTrace = <T>(
  name: string,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> => (currentTrace() === null ? work() : inSpan(name, facts, work));
