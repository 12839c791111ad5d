/**
 * Reads SIP messages (RFC 3261 §7, RFC 4475) as the open internet sends them. Never throws and has
 * hard limits; a message is checked as far as the server depends on it.
 */
import { readAddress, readUri, readVia, splitUnquoted, token } from './grammar.ts';
import {
  Headers,
  type Message,
  type ParsedMessage,
  type Request,
  type Response,
  type ResponseTemplate,
} from './message.ts';

/** `head`: bytes of the start line and headers together. `lines`: header lines. `body`: bytes. */
export const limits = { head: 16_384, lines: 256, body: 65_536 } as const;

/** Headers that may occur only once. */
const singleHeaders = [
  'from',
  'to',
  'call-id',
  'cseq',
  'max-forwards',
  'content-length',
  'content-type',
  'expires',
] as const;
const maxCseq = 2 ** 31;

/** The offset at which the body begins; -1 when the empty line after the headers is missing. */
export function endOfHead(bytes: Buffer): number {
  const at = bytes.indexOf('\r\n\r\n');
  return at === -1 ? -1 : at + 4;
}

/** The Content-Length in a head, for streams; null when it is missing or not a number. */
export function lengthIn(head: string): number | null {
  const found = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im.exec(head);
  return found ? Number(found[1]) : null;
}

/** Why a message cannot be served. `reason` becomes the reason phrase of our response. */
interface Fault {
  kind: 'fault';
  status: number;
  reason: string;
}
const badRequest = (reason: string): Fault => ({ kind: 'fault', status: 400, reason });

/**
 * Reads one message. `stream`: it was cut out of a stream by its Content-Length, which is then
 * required. A datagram ends where it ends, and bytes beyond its Content-Length are dropped (§18.3).
 */
export function readMessage(bytes: Buffer, stream = false): ParsedMessage {
  const bodyStart = endOfHead(bytes);
  const headBytes = bodyStart === -1 ? bytes.length : bodyStart;
  const head = bytes
    .subarray(0, headBytes)
    .toString('utf8')
    .replace(/^(?:\r\n)+/, '');
  if (/^[\s\0]*$/.test(head)) return { kind: 'nothing' };
  const [start = '', ...lines] = unfold(head);
  if (headBytes > limits.head || lines.length > limits.lines) return { kind: 'nothing' };

  const headers = new Headers();
  const lineFault = addHeaderLines(headers, lines);
  const headFault = bodyStart === -1 ? 'Head Without End' : lineFault;
  const read = readParts(start, headers, headFault, () =>
    readBody(bytes, bodyStart, headers, stream),
  );
  if (read.kind !== 'fault') return read;
  // A malformed response is dropped: responses are never answered.
  if (/^SIP\//i.test(start)) return { kind: 'nothing' };
  const { status, reason } = read;
  const method = /^\S+/.exec(start)?.[0] ?? '';
  return { kind: 'wrong', status, reason, method, to: responseTemplate(headers) };
}

/** Adds what can be read of the lines; returns what is wrong with the first other one, or null. */
function addHeaderLines(headers: Headers, lines: readonly string[]): string | null {
  let fault: string | null = null;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    if (token.test(name)) headers.add(name, line.slice(colon + 1).trim());
    else fault ??= 'Header Line Without Name';
  }
  return fault;
}

/** `body` is read only once the headers are known to be in order. */
function readParts(
  start: string,
  headers: Headers,
  headFault: string | null,
  body: () => string | Fault,
): Request | Response | Fault | { kind: 'nothing' } {
  const response = /^SIP\/2\.0 (\d+)(?: (.*))?$/is.exec(start);
  const request = response ? null : /^(\S+) (\S+) SIP\/(\d+\.\d+)$/i.exec(start);
  if (!response && !request) return badRequest('Start Line Cannot Be Read');
  if (request && request[3] !== '2.0')
    return { kind: 'fault', status: 505, reason: 'Version Not Supported' };
  const fault = headFault ?? headerFault(headers);
  if (fault !== null) return badRequest(fault);

  const common = readCommonHeaders(headers);
  if ('kind' in common) return common;
  const text = body();
  if (typeof text !== 'string') return text;
  const message: Message = { ...common, headers, body: text };
  if (response) return readResponse(message, Number(response[1]), response[2] ?? '');
  const [, method = '', uri = ''] = request ?? [];
  return readRequest(message, method, uri);
}

function readCommonHeaders(headers: Headers): Omit<Message, 'headers' | 'body'> | Fault {
  const vias = headers.list('via');
  const via = readVia(vias[0] ?? '');
  const from = readAddress(headers.get('from') ?? '');
  const to = readAddress(headers.get('to') ?? '');
  const cseq = readCseq(headers.get('cseq') ?? '');
  if (!via) return badRequest('Via Cannot Be Read');
  if (!from) return badRequest('From Cannot Be Read');
  if (!to) return badRequest('To Cannot Be Read');
  if (!cseq) return badRequest('CSeq Cannot Be Read');
  return { via, vias, from, to, cseq, callId: headers.get('call-id') ?? '' };
}

function readBody(
  bytes: Buffer,
  bodyStart: number,
  headers: Headers,
  stream: boolean,
): string | Fault {
  const length = headers.get('content-length');
  const received = bytes.length - bodyStart;
  if (length === null && stream) return badRequest('Content-Length Missing');
  if (length !== null && Number(length) > received)
    return badRequest('Body Shorter Than Content-Length');
  const bodyBytes = length === null ? received : Number(length);
  if (bodyBytes > limits.body) return { kind: 'fault', status: 413, reason: 'Body Too Large' };
  return bytes.subarray(bodyStart, bodyStart + bodyBytes).toString('utf8');
}

function readResponse(
  message: Message,
  status: number,
  reason: string,
): Response | { kind: 'nothing' } {
  // Only the next hop responds to us: a second Via means the response was not for us (§18.1.2).
  if (status < 100 || status > 699 || message.vias.length !== 1) return { kind: 'nothing' };
  return { kind: 'response', status, reason, ...message };
}

function readRequest(message: Message, method: string, uri: string): Request | Fault {
  if (!token.test(method)) return badRequest('Method Cannot Be Read');
  if (message.cseq.method !== method) return badRequest('CSeq Names Another Method');
  if (!isRequestUri(uri)) return badRequest('Request-URI Cannot Be Read');
  return { kind: 'request', method, uri, ...message };
}

function isRequestUri(uri: string): boolean {
  if (/[^\x21-\x7e\u0080-\uffff]|["<>]/.test(uri)) return false;
  if (!/^sips?:/i.test(uri)) return /^[a-z][a-z0-9+.-]*:/i.test(uri);
  return readUri(uri)?.headers === '';
}

/** The lines of a head, with folded lines joined (§7.3.1). */
const unfold = (head: string): string[] =>
  head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .filter((line, n) => n === 0 || line !== '');

/** The first thing wrong with the headers, as a reason phrase; null when they are in order. */
function headerFault(headers: Headers): string | null {
  for (const name of ['via', 'from', 'to', 'call-id', 'cseq'])
    if (!headers.get(name)) return `${name} Missing`;
  for (const name of singleHeaders) {
    const [first, ...others] = headers.lines(name);
    if (others.some((other) => name !== 'content-length' || other !== first))
      return `Several ${name}`;
  }
  if (headers.list('via').some((via) => readVia(via) === null)) return 'Via Cannot Be Read';
  if (/[\s,]/.test(headers.get('call-id') ?? '')) return 'Call-ID Cannot Be Read';
  if (!/^\d{1,9}$/.test(headers.get('content-length') ?? '0'))
    return 'Content-Length Cannot Be Read';
  if (
    !/^\d{1,9}$/.test(headers.get('max-forwards') ?? '70') ||
    Number(headers.get('max-forwards') ?? 70) > 255
  )
    return 'Max-Forwards Cannot Be Read';
  const date = headers.get('date');
  if (date !== null && !date.endsWith('GMT')) return 'Date Not In GMT';
  if (
    headers.get('contact') !== '*' &&
    headers.list('contact').some((contact) => readAddress(contact) === null)
  )
    return 'Contact Cannot Be Read';
  if (
    [...headers.list('route'), ...headers.list('record-route')].some(
      (route) => readAddress(route) === null,
    )
  )
    return 'Route Cannot Be Read';
  return null;
}

/** Null when it cannot be read or the number is 2^31 or more (§8.1.1.5). */
function readCseq(value: string): Message['cseq'] | null {
  const found = /^(\d{1,10})[ \t]+(\S+)$/.exec(value);
  const number = Number(found?.[1]);
  return found && number < maxCseq ? { number, method: found[2] ?? '' } : null;
}

/** What a response to a malformed request can copy from it; null when its Via cannot be read. */
function responseTemplate(headers: Headers): ResponseTemplate | null {
  const vias = headers.lines('via').flatMap((line) => splitUnquoted(line, ','));
  // The first element suffices, even when its parameters cannot be read.
  const via = readVia(vias[0] ?? '') ?? readVia((vias[0] ?? '').split(';')[0] ?? '');
  const get = (name: string): string | null => headers.get(name);
  return (
    via && {
      vias,
      via,
      from: get('from'),
      to: get('to'),
      callId: get('call-id'),
      cseq: get('cseq'),
    }
  );
}
