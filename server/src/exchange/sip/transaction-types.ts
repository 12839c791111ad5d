/**
 * What SIP transactions (RFC 3261 §17) are built from: the clock, the flow to a client, timer
 * values, reason phrases.
 */
import type { Headers } from './message.ts';

/** Time as transactions need it. Tests pass a clock that they advance themselves. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Runs `callback` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The path between one client and us: an address over UDP, or one connection. */
export interface Flow {
  readonly transport: 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS';
  readonly address: string;
  readonly port: number;
  /** Unique per flow. */
  readonly key: string;
  /**
   * As what the client knows us, `host:port`, when that isn't our own address: it is registered at
   * another exchange.
   */
  readonly at?: string;
  /**
   * `port`: another port at the same address (UDP only). Does nothing once the connection is
   * closed.
   */
  send(bytes: Buffer, port?: number): void;
}

/** Whether the client is a browser, which speaks WebRTC instead of plain RTP. */
export const isWeb = (flow: Flow): boolean => flow.transport === 'WS' || flow.transport === 'WSS';

/** Whether the transport loses nothing, so that nothing is retransmitted on it. */
export const isReliable = (flow: Flow): boolean => flow.transport !== 'UDP';

/** Timer values of RFC 3261 §17.1.1.1. Milliseconds. */
export const t1 = 500;
export const t2 = 4000;
export const t4 = 5000;
export const timeoutMs = 64 * t1;
/**
 * A transaction that never gets a final response is dropped after this: longer than any phone
 * rings.
 */
export const abandonedMs = 300_000;

export interface ResponseParts {
  headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  body?: string | undefined;
}

export interface OutgoingRequest {
  method: string;
  uri: string;
  headers: Headers;
  body?: string | undefined;
}

const reasonPhrases: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  484: 'Address Incomplete',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  505: 'Version Not Supported',
  603: 'Decline',
};

/** The reason phrase of a status; `Error` for one that this server never sends. */
export const reasonPhrase = (status: number): string => reasonPhrases[status] ?? 'Error';
