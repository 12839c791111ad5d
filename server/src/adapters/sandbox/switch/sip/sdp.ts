/** The few lines of SDP that a G.711 call needs. */
import type { Law } from './g711.ts';

export interface Media { host: string; port: number; laws: { law: Law; payload: number }[]; keys: number | null }

/** What a phone offers or answers; null when there is no sound we understand. */
export function readMedia(sdp: string): Media | null {
  const lines = sdp.split(/\r?\n/);
  const audio = /^m=audio (\d+) RTP\/AVP ([\d ]+)/.exec(lines.find((line) => line.startsWith('m=audio')) ?? '');
  const host = /^c=IN IP4 (\S+)/.exec(lines.find((line) => line.startsWith('c=')) ?? '')?.[1];
  if (!audio || !host) return null;
  const named = new Map(lines.flatMap((line) => {
    const found = /^a=rtpmap:(\d+) ([\w-]+)\/8000/.exec(line);
    return found ? [[Number(found[1]), (found[2] ?? '').toUpperCase()] as const] : [];
  }));
  const payloads = (audio[2] ?? '').trim().split(' ').map(Number);
  const nameOf = (payload: number) => named.get(payload) ?? (payload === 0 ? 'PCMU' : payload === 8 ? 'PCMA' : '');
  const laws = payloads.flatMap((payload) => (nameOf(payload) === 'PCMU' || nameOf(payload) === 'PCMA' ? [{ law: nameOf(payload) as Law, payload }] : []));
  return laws.length === 0 ? null : { host, port: Number(audio[1]), laws, keys: payloads.find((payload) => nameOf(payload) === 'TELEPHONE-EVENT') ?? null };
}

/** Our side: as an offer both dialects and keys, as an answer the one that was chosen. */
export function sayMedia(host: string, port: number, laws: Media['laws'] = [{ law: 'PCMU', payload: 0 }, { law: 'PCMA', payload: 8 }], keys: number | null = 101): string {
  const payloads = [...laws.map(({ payload }) => payload), ...(keys === null ? [] : [keys])];
  return [
    'v=0', `o=- ${Date.now()} 1 IN IP4 ${host}`, 's=-', `c=IN IP4 ${host}`, 't=0 0', `m=audio ${port} RTP/AVP ${payloads.join(' ')}`,
    ...laws.map(({ law, payload }) => `a=rtpmap:${payload} ${law}/8000`), ...(keys === null ? [] : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-15`]), 'a=ptime:20', 'a=sendrecv', '',
  ].join('\r\n');
}
