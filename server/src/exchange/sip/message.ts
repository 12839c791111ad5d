/** SIP messages (RFC 3261 §7) as the server works with them. */
import { splitUnquoted, type Address, type Via } from './grammar.ts';

const compactNames: Readonly<Record<string, string>> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  j: 'reject-contact',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};
const fullName = (name: string): string => {
  const lower = name.toLowerCase();
  return compactNames[lower] ?? lower;
};

/**
 * Header fields, each with one or more values. Names are lower case, and compact names (§7.3.3) are
 * expanded.
 */
export class Headers {
  readonly #fields = new Map<string, string[]>();

  constructor(fields: Readonly<Record<string, string | readonly string[] | undefined>> = {}) {
    for (const [name, values] of Object.entries(fields)) {
      for (const value of typeof values === 'string' ? [values] : (values ?? []))
        this.add(name, value);
    }
  }

  add(name: string, value: string): void {
    const full = fullName(name);
    const known = this.#fields.get(full);
    if (known) known.push(value);
    else this.#fields.set(full, [value]);
  }

  /** The first value as it was written; null when there is none. `name` in lower case. */
  get(name: string): string | null {
    return this.#fields.get(name)?.[0] ?? null;
  }

  /** The values as they were written, one per header line. */
  lines(name: string): readonly string[] {
    return this.#fields.get(name) ?? [];
  }

  /** The values of a list header: several lines and comma-separated values mean the same. */
  list(name: string): string[] {
    return this.lines(name)
      .flatMap((line) => splitUnquoted(line, ','))
      .filter((value) => value !== '');
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, values] of this.#fields) for (const value of values) yield [name, value];
  }
}

export interface Message {
  headers: Headers;
  body: string;
  /** The topmost one. */
  via: Via;
  /** All of them, as they were written. */
  vias: readonly string[];
  from: Address;
  to: Address;
  callId: string;
  cseq: { number: number; method: string };
}
export interface Request extends Message {
  kind: 'request';
  method: string;
  uri: string;
}
export interface Response extends Message {
  kind: 'response';
  status: number;
  reason: string;
}

/**
 * What a response copies from its request, unchanged. Parts of a malformed request may be missing.
 */
export interface ResponseTemplate {
  vias: readonly string[];
  via: Via;
  from: string | null;
  to: string | null;
  callId: string | null;
  cseq: string | null;
}

export type ParsedMessage =
  | Request
  | Response
  /** A malformed request. `to` is null when it cannot even be answered. */
  | { kind: 'wrong'; status: number; reason: string; method: string; to: ResponseTemplate | null }
  /** Nothing to answer: a keep-alive, noise, or a malformed response. */
  | { kind: 'nothing' };

/** What a response to this request copies from it. */
export const templateOf = (request: Request): ResponseTemplate => ({
  vias: request.vias,
  via: request.via,
  from: request.headers.get('from'),
  to: request.headers.get('to'),
  callId: request.callId,
  cseq: request.headers.get('cseq'),
});
