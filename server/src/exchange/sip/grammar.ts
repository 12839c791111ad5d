/**
 * Reads the parts that SIP headers are made of (RFC 3261 §25): addresses, URIs, Via and parameters.
 * Never throws.
 */

type Params = ReadonlyMap<string, string>;

/** `sip:user@host:port;params?headers`. */
interface Uri {
  scheme: string;
  /** Unescaped; empty when the URI has none. */
  user: string;
  host: string;
  port: number | null;
  params: Params;
  /** The text after `?`; empty when the URI has none. */
  headers: string;
}

/** A display name and a URI, as in To, From, Contact and Route. */
export interface Address {
  name: string;
  /** As it was written. */
  uri: string;
  params: Params;
}

export interface Via {
  /** Upper case: UDP, TCP, TLS, WS, WSS or something unknown. */
  transport: string;
  host: string;
  port: number | null;
  params: Params;
}

/** A token of §25.1. */
export const token = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const hostPattern = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9.])?)$/i;

/**
 * `SIP/2.0/UDP host:port;params`; null when it cannot be read. Other versions are read too, so that
 * they can be answered with 505.
 */
export function readVia(value: string): Via | null {
  const [head = '', ...params] = splitUnquoted(value, ';');
  const found =
    /^SIP\s*\/\s*\d+\.\d+\s*\/\s*([A-Za-z0-9\-.!%*_+`'~]+)\s+(\[[0-9a-f:.]+\]|[^\s:]+)\s*(?::\s*(\d{1,5}))?$/i.exec(
      head.trim(),
    );
  const read = readParams(params);
  if (!found || !read || !hostPattern.test(found[2] ?? '')) return null;
  if (read.has('branch') && !token.test(read.get('branch') ?? '')) return null;
  // The magic cookie alone does not identify a transaction (RFC 4475 §3.2.1).
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
    // Without <> a parameter belongs to the header, so such a URI has no headers (§20.10).
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

/** A `sip:` or `sips:` URI in its parts; null for anything else. */
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

/** `%41` → `A`; null when the escaping is invalid. */
function unescape(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Names in lower case, values unquoted; null when one cannot be read. */
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

/** The index of the first `wanted` outside of quotes; -1 when there is none. */
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

/** Splits at separators that are neither in quotes nor in <>; parts are trimmed. */
export function splitUnquoted(text: string, separator: ',' | ';'): string[] {
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
