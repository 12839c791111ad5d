import type { ServerTransaction } from './server-transaction.ts';

const acceptable = ['*/*', 'application/*', 'application/sdp'];

/** Answers requests for what this server does not support (RFC 3261 §8.2). True when it did. */
export function rejectUnsupported(transaction: ServerTransaction): boolean {
  const { headers, method, uri } = transaction.request;
  const required = headers.list('require');
  if (!(method === 'INVITE' ? /^(?:sips?|tel):/i : /^sips?:/i).test(uri)) transaction.respond(416);
  else if (required.length > 0)
    transaction.respond(420, { headers: { unsupported: required.join(', ') } });
  else return method === 'INVITE' && rejectUnsupportedBody(transaction);
  return true;
}

/** An INVITE has to carry SDP, or nothing, and to accept SDP. */
function rejectUnsupportedBody(transaction: ServerTransaction): boolean {
  const { headers, body } = transaction.request;
  const type = mediaType(headers.get('content-type') ?? 'application/sdp');
  const encoding = headers.get('content-encoding') ?? 'identity';
  const accepted =
    headers.lines('accept').length === 0 ? ['*/*'] : headers.list('accept').map(mediaType);
  if (body !== '' && (type !== 'application/sdp' || encoding !== 'identity'))
    transaction.respond(415, {
      headers: { accept: 'application/sdp', 'accept-encoding': 'identity' },
    });
  else if (!acceptable.some((one) => accepted.includes(one)))
    transaction.respond(406, { headers: { accept: 'application/sdp' } });
  else return false;
  return true;
}

/** `Application/SDP; charset=utf-8` → `application/sdp`. */
const mediaType = (value: string): string => (value.split(';')[0] ?? '').trim().toLowerCase();
