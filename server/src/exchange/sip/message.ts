/**
 * SIP messages (RFC 3261 §7, §25): read from what the open internet sends, and written. Reading never throws and has hard
 * limits; what it accepts is checked as far as our server depends on it.
 */

/** A header field of which a message has one or several; compact names (§7.3.3) are written out, all are lower case. */
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

  /** The first value as it was written; null when there is none. */
  get(name: string): string | null {
    return this.#fields.get(name)?.[0] ?? null;
  }

  /** All values as they were written, a line each. */
  lines(name: string): readonly string[] {
    return this.#fields.get(name) ?? [];
  }

  /** All values of a field that is a list: those of several lines and those separated by commas are the same. */
  list(name: string): string[] {
    return this.lines(name)
      .flatMap((line) => splitUnquoted(line, ','))
      .filter((value) => value !== '');
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, values] of this.#fields) for (const value of values) yield [name, value];
  }
}

/** `sip:user@host:port;params`; `headers` only where an address may carry them. */
export interface Uri {
  scheme: string;
  /** Unescaped; empty when there is none. */
  user: string;
  host: string;
  port: number | null;
  params: Params;
  headers: string;
}
export type Params = ReadonlyMap<string, string>;

/** A name and an address, as in To, From, Contact and Route. `uri` as it was written. */
export interface Address {
  name: string;
  uri: string;
  params: Params;
}

export interface Via {
  /** As written: UDP, TCP, TLS, WS, WSS or something unknown. */
  transport: string;
  host: string;
  port: number | null;
  params: Params;
}

interface Message {
  headers: Headers;
  body: string;
  /** The topmost one, and all of them as they were written. */
  via: Via;
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

/** What an answer repeats of its request, as it came; of a wrong one some may be missing. */
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
  /** A request that cannot be served. `to` is null when not even that can be said to its sender. */
  | { kind: 'wrong'; status: number; reason: string; method: string; to: ResponseTemplate | null }
  /** Nothing anybody would answer: a keep-alive, noise, a wrong response. */
  | { kind: 'nothing' };

/** Bytes of a start line and header lines together, lines, and bytes of a body. */
export const limits = { head: 16_384, lines: 256, body: 65_536 } as const;

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

const token = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const hostPattern = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9.])?)$/i;
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

/** Where the head of a message ends and its body begins; -1 when the empty line has not come. */
export function endOfHead(bytes: Buffer): number {
  const at = bytes.indexOf('\r\n\r\n');
  return at === -1 ? -1 : at + 4;
}

/** The Content-Length of a head, for streams; null when there is none or it is no number. */
export function lengthIn(head: string): number | null {
  const found = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im.exec(head);
  return found ? Number(found[1]) : null;
}

/**
 * One message. `stream`: its end was found by its Content-Length; a datagram ends by itself, and what goes beyond the
 * length it names is dropped (§18.3).
 */
export function readMessage(bytes: Buffer, stream = false): ParsedMessage {
  const end = endOfHead(bytes);
  const head = bytes
    .subarray(0, end === -1 ? bytes.length : end)
    .toString('utf8')
    .replace(/^(?:\r\n)+/, '');
  if (/^[\s\0]*$/.test(head)) return { kind: 'nothing' };
  const [start = '', ...lines] = unfold(head);
  const response = /^SIP\/2\.0 (\d+)(?: (.*))?$/is.exec(start);
  const wrong = (status: number, reason: string): ParsedMessage =>
    response || /^SIP\//i.test(start)
      ? { kind: 'nothing' }
      : {
          kind: 'wrong',
          status,
          reason,
          method: /^\S+/.exec(start)?.[0] ?? '',
          to: responseTemplate(headers),
        };
  const headers = new Headers();
  if (
    end > limits.head ||
    (end === -1 && bytes.length > limits.head) ||
    lines.length > limits.lines
  )
    return { kind: 'nothing' };
  let bad = end === -1 ? 'Head Without End' : null;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    if (token.test(name)) headers.add(name, line.slice(colon + 1).trim());
    else bad ??= 'Header Line Without Name';
  }
  const request = response ? null : /^(\S+) (\S+) SIP\/(\d+\.\d+)$/i.exec(start);
  if (!response && !request) return wrong(400, 'Start Line Cannot Be Read');
  if (request && request[3] !== '2.0') return wrong(505, 'Version Not Supported');
  if (bad !== null) return wrong(400, bad);
  const why = headerFault(headers);
  if (why !== null) return wrong(400, why);

  const via = readVia(headers.list('via')[0] ?? '');
  const [from, to] = [readAddress(headers.get('from') ?? ''), readAddress(headers.get('to') ?? '')];
  const cseq = readCseq(headers.get('cseq') ?? '');
  if (!via || !from || !to || !cseq)
    return wrong(400, `${!via ? 'Via' : !from ? 'From' : !to ? 'To' : 'CSeq'} Cannot Be Read`);
  const length = headers.get('content-length');
  const there = bytes.length - end;
  if (length === null && stream) return wrong(400, 'Content-Length Missing');
  if (length !== null && Number(length) > there)
    return wrong(400, 'Body Shorter Than Content-Length');
  const bodyEnd = end + (length === null ? there : Number(length));
  if (bodyEnd - end > limits.body) return wrong(413, 'Body Too Large');
  const message = {
    headers,
    via,
    vias: headers.list('via'),
    from,
    to,
    cseq,
    callId: headers.get('call-id') ?? '',
    body: bytes.subarray(end, bodyEnd).toString('utf8'),
  };
  if (response) {
    const status = Number(response[1]);
    // Whoever answers us answers one hop: a second Via means that the answer was not for us (§18.1.2).
    if (status < 100 || status > 699 || message.vias.length !== 1) return { kind: 'nothing' };
    return { kind: 'response', status, reason: response[2] ?? '', ...message };
  }
  const [, method = '', uri = ''] = request ?? [];
  if (!token.test(method)) return wrong(400, 'Method Cannot Be Read');
  if (cseq.method !== method) return wrong(400, 'CSeq Names Another Method');
  if (/[^\x21-\x7e\u0080-\uffff]|["<>]/.test(uri)) return wrong(400, 'Request-URI Cannot Be Read');
  if (/^sips?:/i.test(uri)) {
    const read = readUri(uri);
    if (!read || read.headers !== '') return wrong(400, 'Request-URI Cannot Be Read');
  } else if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return wrong(400, 'Request-URI Cannot Be Read');
  return { kind: 'request', method, uri, ...message };
}

/** Lines of a head, with those that go on in the next one put together (§7.3.1). */
const unfold = (head: string): string[] =>
  head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .filter((line, n) => n === 0 || line !== '');

/** What no message we serve may have, in words; null when nothing is wrong. */
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

function readCseq(value: string): Message['cseq'] | null {
  const found = /^(\d{1,10})[ \t]+(\S+)$/.exec(value);
  const number = Number(found?.[1]);
  return found && number < maxCseq ? { number, method: found[2] ?? '' } : null;
}

/** What can be said back to whoever sent a wrong request, from the lines that can be read. */
function responseTemplate(headers: Headers): ResponseTemplate | null {
  const vias = headers.lines('via').flatMap((line) => splitUnquoted(line, ','));
  // Its first element suffices, even where its parameters are nonsense.
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

/** `SIP/2.0/UDP host:port;params`; null when it cannot be read. Of other versions it is answered to (505) as well. */
function readVia(value: string): Via | null {
  const [head = '', ...params] = splitUnquoted(value, ';');
  const found =
    /^SIP\s*\/\s*\d+\.\d+\s*\/\s*([A-Za-z0-9\-.!%*_+`'~]+)\s+(\[[0-9a-f:.]+\]|[^\s:]+)\s*(?::\s*(\d{1,5}))?$/i.exec(
      head.trim(),
    );
  const read = readParams(params);
  if (!found || !read || !hostPattern.test(found[2] ?? '')) return null;
  if (read.has('branch') && !token.test(read.get('branch') ?? '')) return null;
  // The magic cookie alone tells no transactions apart (RFC 4475 §3.2.1).
  if (read.get('branch')?.toLowerCase() === 'z9hg4bk') return null;
  const port = found[3] === undefined ? null : Number(found[3]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { transport: (found[1] ?? '').toUpperCase(), host: found[2] ?? '', port, params: read };
}

/** `"Name" <sip:…>;params` or `sip:…;params`; null when it cannot be read. */
export function readAddress(value: string): Address | null {
  const open = indexOutsideQuotes(value, '<');
  if (open === -1) {
    const [uri = '', ...params] = splitUnquoted(value, ';');
    const read = readParams(params);
    // Without <> what follows belongs to the header, so such an address has no headers of its own (§20.10).
    if (!read || uri.includes('?') || !isAbsolute(uri)) return null;
    return { name: '', uri, params: read };
  }
  const close = value.indexOf('>', open);
  if (close === -1) return null;
  const uri = value.slice(open + 1, close);
  const [rest = '', ...params] = splitUnquoted(value.slice(close + 1), ';');
  const read = readParams(params);
  const name = value.slice(0, open).trim();
  const quoted = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(name);
  if (!quoted && name !== '' && !name.split(/\s+/).every((word) => token.test(word))) return null;
  if (!read || rest.trim() !== '' || !isAbsolute(uri)) return null;
  return {
    name: quoted ? (quoted[1] ?? '').replace(/\\([\s\S])/g, '$1') : name,
    uri,
    params: read,
  };
}

const isAbsolute = (uri: string): boolean =>
  /^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(uri) && (!/^sips?:/i.test(uri) || readUri(uri) !== null);

/** A `sip:` or `sips:` address in its parts; null for anything else. */
export function readUri(text: string): Uri | null {
  const found =
    /^(sips?):(?:([^@]*)@)?(\[[0-9a-f:.]+\]|[^\s@;?:[\]]+)(?::(\d{1,5}))?((?:;[^?]*)?)(?:\?(.*))?$/i.exec(
      text,
    );
  if (!found) return null;
  const [, scheme = '', userinfo, host = '', port, params = '', headers = ''] = found;
  const read = readParams(params.split(';').slice(1), true);
  const user = unescape(userinfo?.split(':')[0] ?? '');
  if (
    !read ||
    user === null ||
    userinfo === '' ||
    !hostPattern.test(host) ||
    Number(port ?? 1) > 65_535 ||
    Number(port ?? 1) < 1
  )
    return null;
  return {
    scheme: scheme.toLowerCase(),
    user,
    host: host.toLowerCase(),
    port: port === undefined ? null : Number(port),
    params: read,
    headers,
  };
}

/** `%41` → `A`; null when it is no such writing, or no text. */
function unescape(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readParams(parts: readonly string[], inUri = false): Map<string, string> | null {
  const params = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim();
    const value = equals === -1 ? '' : part.slice(equals + 1).trim();
    if (inUri ? !/^[^\s=]+$/.test(name) : !token.test(name)) return null;
    if (value.startsWith('"') && !/^"(?:[^"\\]|\\[\s\S])*"$/.test(value)) return null;
    params.set(
      (inUri ? (unescape(name) ?? name) : name).toLowerCase(),
      value.replace(/^"(.*)"$/s, '$1').replace(/\\([\s\S])/g, '$1'),
    );
  }
  return params;
}

/** Where a character stands outside of quotes; -1 when nowhere. */
function indexOutsideQuotes(text: string, wanted: string): number {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === wanted) return at;
  }
  return -1;
}

/** Parts between separators that stand neither in quotes nor in <>. */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let [quoted, angled, from] = [false, false, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"' && !angled) quoted = !quoted;
    else if (char === '<' && !quoted) angled = true;
    else if (char === '>' && !quoted) angled = false;
    else if (char === separator && !quoted && !angled) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

// ---- written ----

/** Nothing of ours ends a line where it should not, whatever it was made of. */
const stripLineBreaks = (text: string): string => text.replace(/[\r\n\0]+/g, ' ');

export function writeMessage(start: string, headers: Headers, body = ''): Buffer {
  const lines = [stripLineBreaks(start)];
  for (const [name, value] of headers)
    if (name !== 'content-length') lines.push(`${headerCase(name)}: ${stripLineBreaks(value)}`);
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, '', body);
  return Buffer.from(lines.join('\r\n'));
}
const irregularNames: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'www-authenticate': 'WWW-Authenticate',
};
const headerCase = (name: string): string =>
  irregularNames[name] ?? name.replace(/(^|-)([a-z])/g, (all) => all.toUpperCase());

/** The answer to a request, to be sent the way it came. `tag` is put into To when it has none. */
export function writeResponse(
  to: ResponseTemplate,
  received: { address: string; port: number },
  status: number,
  reason: string,
  more: {
    tag?: string | undefined;
    headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
    body?: string | undefined;
  } = {},
): Buffer {
  const [top = '', ...vias] = to.vias;
  // RFC 3581: where it came from is returned to whoever asks, and the answer goes there.
  const asked = top
    .replace(/;\s*received\s*=[^;]*/gi, '')
    .replace(/;\s*rport\s*(?=;|$)/i, `;rport=${received.port}`);
  const { headers, body, tag } = more;
  const tagged =
    to.to !== null && tag !== undefined && status > 100 && !readAddress(to.to)?.params.has('tag');
  return writeMessage(
    `SIP/2.0 ${status} ${reason}`,
    new Headers({
      via: [`${asked};received=${received.address}`, ...vias],
      from: to.from ?? undefined,
      to: tagged ? `${to.to};tag=${tag}` : (to.to ?? undefined),
      'call-id': to.callId ?? undefined,
      cseq: to.cseq ?? undefined,
      ...headers,
    }),
    body,
  );
}

/** What an answer to this request repeats of it. */
export const templateOf = (request: Request): ResponseTemplate => ({
  vias: request.vias,
  via: request.via,
  from: request.headers.get('from'),
  to: request.headers.get('to'),
  callId: request.callId,
  cseq: request.headers.get('cseq'),
});

/** `"Name" <uri>;tag=…` */
export function writeAddress(address: {
  name?: string | null | undefined;
  uri: string;
  tag?: string | undefined;
}): string {
  const name = address.name ? `"${stripLineBreaks(address.name).replace(/["\\]/g, '')}" ` : '';
  return `${name}<${address.uri}>${address.tag === undefined ? '' : `;tag=${address.tag}`}`;
}
