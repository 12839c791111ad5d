/** Writes SIP messages (RFC 3261 §7). */
import { readAddress } from './grammar.ts';
import { Headers, type ResponseTemplate } from './message.ts';

/** Keeps a value from starting a new header line (header injection). */
const stripLineBreaks = (text: string): string => text.replace(/[\r\n\0]+/g, ' ');

/** `start`: the request or status line. Content-Length is always computed from `body`. */
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

/**
 * The response to a request, to be sent over the flow it came from. `received`: the source address
 * of the request. `tag` is added to To when that has none, except in a 100.
 */
export function writeResponse(
  to: ResponseTemplate,
  received: { address: string; port: number },
  status: number,
  reason: string,
  parts: {
    tag?: string | undefined;
    headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
    body?: string | undefined;
  } = {},
): Buffer {
  const [top = '', ...vias] = to.vias;
  // RFC 3581: `received` and `rport` tell the sender its own source address.
  const topVia = top
    .replace(/;\s*received\s*=[^;]*/gi, '')
    .replace(/;\s*rport\s*(?=;|$)/i, `;rport=${received.port}`);
  const { headers, body, tag } = parts;
  const tagged =
    to.to !== null && tag !== undefined && status > 100 && !readAddress(to.to)?.params.has('tag');
  return writeMessage(
    `SIP/2.0 ${status} ${reason}`,
    new Headers({
      via: [`${topVia};received=${received.address}`, ...vias],
      from: to.from ?? undefined,
      to: tagged ? `${to.to};tag=${tag}` : (to.to ?? undefined),
      'call-id': to.callId ?? undefined,
      cseq: to.cseq ?? undefined,
      ...headers,
    }),
    body,
  );
}

/** `"Name" <uri>;tag=…` */
export function writeAddress(address: {
  name?: string | null | undefined;
  uri: string;
  tag?: string | undefined;
}): string {
  const name = address.name ? `"${stripLineBreaks(address.name).replace(/["\\]/g, '')}" ` : '';
  return `${name}<${address.uri}>${address.tag === undefined ? '' : `;tag=${address.tag}`}`;
}
