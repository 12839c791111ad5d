/** Reads the requests that phones send within a call: keys (INFO) and transfers (REFER). */
import { dialedNumber } from './dialed-number.ts';
import { readAddress, readUri } from './grammar.ts';
import type { Request } from './message.ts';

/** Keys by their event number (RFC 4733 §3.2), which some phones write instead of the key. */
const dtmfEventKeys: Readonly<Record<number, string>> = {
  10: '*',
  11: '#',
  12: 'A',
  13: 'B',
  14: 'C',
  15: 'D',
};

/**
 * The key in an INFO; empty for an INFO without a body. `status`: the request has to be refused
 * with it.
 */
export function readDtmfInfo({ headers, body }: Request): { key: string } | { status: 400 | 415 } {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '') return { key: '' };
  if (!type.startsWith('application/dtmf')) return { status: 415 };
  const signal = signalIn(type, body);
  const key = signal === undefined ? '' : (dtmfEventKeys[Number(signal)] ?? signal.toUpperCase());
  return key.length === 1 ? { key } : { status: 400 };
}

function signalIn(type: string, body: string): string | undefined {
  if (type === 'application/dtmf-relay')
    return /^\s*Signal\s*=\s*([0-9A-D*#]{1,2})\s*$/im.exec(body)?.[1];
  if (type === 'application/dtmf') return /^\s*([0-9A-D*#]{1,2})\s*$/i.exec(body)?.[1];
  return undefined;
}

/** Whom a REFER transfers the call to. `status`: the request has to be refused with it. */
export function readReferTo({ headers }: Request): { user: string } | { status: 400 | 501 } {
  const target = readAddress(headers.get('refer-to') ?? '')?.uri ?? '';
  const uri = readUri(target.replace(/^tel:([^?]*)/i, 'sip:$1@tel'));
  if (headers.lines('refer-to').length !== 1 || !uri) return { status: 400 };
  // Replaces would join two of the phone's calls (an attended transfer), which only the app offers.
  if (/(^|&)replaces=/i.test(uri.headers)) return { status: 501 };
  // A user name has letters too, so what is no number is left as it is.
  return { user: dialedNumber(target) ?? uri.user };
}
