/** The few lines of SDP (RFC 8866) that a call with G.711 needs, and who offers, answers and rests by them (RFC 3264). */
import { randomInt } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Law } from './g711.ts';
import type { RtpPeer } from './rtp-peer.ts';

/** Seen from whoever says it. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
interface SdpCodec {
  law: Law;
  payload: number;
}
export interface SdpMedia {
  /** Null: nothing is to be sent there (`c=0.0.0.0`, an old way to hold). */
  host: string | null;
  port: number;
  codecs: SdpCodec[];
  /** Payload type of keys; null when they are not sent so. */
  dtmfPayload: number | null;
  direction: Direction;
  /** All kinds of media it named, `audio RTP/AVP 0 8` without its port, in order; `at` is the place of this one. */
  named: string[];
  at: number;
}

const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const maxLines = 500;
const maxMedia = 16;
const ourCodecs: SdpCodec[] = [
  { law: 'PCMU', payload: 0 },
  { law: 'PCMA', payload: 8 },
];
const ourDtmfPayload = 101;

/** What a phone offers or answers; null when there is no sound in it that we understand. */
export function readMedia(sdp: string): SdpMedia | null {
  const lines = sdp.split(/\r?\n/, maxLines);
  const starts = lines.flatMap((line, n) => (line.startsWith('m=') ? [n] : []));
  const session = lines.slice(0, starts[0] ?? lines.length);
  if (starts.length === 0 || starts.length > maxMedia || !lines[0]?.startsWith('v=0')) return null;
  const sections = starts.map((start, n) => lines.slice(start, starts[n + 1] ?? lines.length));
  const named = sections.map(([first = '']) =>
    first
      .slice(2)
      .replace(/^(\S+) \d+(\/\d+)? /, '$1 ')
      .slice(0, 200),
  );
  for (const [at, section] of sections.entries()) {
    const media = readAudio(section, session);
    if (media) return { ...media, named, at };
  }
  return null;
}

function readAudio(section: string[], session: string[]): Omit<SdpMedia, 'named' | 'at'> | null {
  const audio = /^m=audio (\d{1,5}) RTP\/AVP((?: \d{1,3})+)\s*$/.exec(section[0] ?? '');
  const address = [...section, ...session].find((line) => line.startsWith('c='));
  const host = /^c=IN IP4 ([\d.]+)/.exec(address ?? '')?.[1] ?? '';
  const port = Number(audio?.[1] ?? 0);
  if (!audio || port < 1 || port > 65_535 || !isIPv4(host) || isMulticast(host)) return null;
  const names = new Map(
    section.flatMap((line) => {
      const found = /^a=rtpmap:(\d{1,3}) ([\w-]+)\/8000/.exec(line);
      return found ? [[Number(found[1]), (found[2] ?? '').toUpperCase()] as const] : [];
    }),
  );
  const payloads = (audio[2] ?? '')
    .trim()
    .split(' ')
    .map(Number)
    .filter((payload) => payload < 128);
  const nameOf = (payload: number): string =>
    names.get(payload) ?? (payload === 0 ? 'PCMU' : payload === 8 ? 'PCMA' : '');
  const laws = payloads.flatMap((payload): SdpCodec[] => {
    const name = nameOf(payload);
    return name === 'PCMU' || name === 'PCMA' ? [{ law: name, payload }] : [];
  });
  if (laws.length === 0) return null;
  const said = [...section, ...session]
    .map((line) => line.slice(2).trim())
    .find((line) => directions.includes(line));
  const keys = payloads.find((payload) => nameOf(payload) === 'TELEPHONE-EVENT') ?? null;
  return {
    host: host === '0.0.0.0' ? null : host,
    port,
    codecs: laws,
    dtmfPayload: keys,
    direction: (said ?? 'sendrecv') as Direction,
  };
}

/** Addresses of many, to which no phone's sound goes. */
const isMulticast = (host: string): boolean => Number(host.split('.')[0]) >= 224;

/** The sound of one call, as both sides agree on it. */
export class MediaSession {
  readonly #id = randomInt(1, 2 ** 47);
  #version = 1;
  #last = '';
  #media: SdpMedia | null = null;
  #plugged: { host: string; port: number } | null = null;

  constructor(
    /** The address sound is taken at, as the other side knows it. */
    private readonly host: string,
    readonly rtp: RtpPeer,
  ) {}

  /** The other side wants no sound from us for now. */
  get held(): boolean {
    return this.#media !== null && !receives(this.#media);
  }

  /** What we propose: as before, or everything we can. */
  offer(): string {
    const { codecs: laws = ourCodecs, dtmfPayload: keys = ourDtmfPayload } = this.#media ?? {};
    return this.#written(laws, keys, 'sendrecv');
  }

  /** Our answer to an offer; null when there is no sound in it that we understand, and all stays as it was. */
  answer(offer: string): string | null {
    const media = this.#agree(offer);
    const [law] = media?.codecs ?? [];
    if (!media || !law) return null;
    const [weSend, weHear] = [receives(media), sends(media)];
    return this.#written(
      [law],
      media.dtmfPayload,
      weSend ? (weHear ? 'sendrecv' : 'sendonly') : weHear ? 'recvonly' : 'inactive',
    );
  }

  /** Their answer to our offer. False when it has no sound that we understand. */
  accept(answer: string): boolean {
    return this.#agree(answer) !== null;
  }

  #agree(sdp: string): SdpMedia | null {
    const media = readMedia(sdp);
    const [law] = media?.codecs ?? [];
    if (!media || !law) return null;
    this.#media = media;
    // Without an address nothing is sent, and where it was heard stays.
    const to = media.host === null ? this.#plugged : { host: media.host, port: media.port };
    this.#plugged = to;
    if (to)
      this.rtp.connect({
        ...to,
        ...law,
        dtmfPayload: media.dtmfPayload,
        sends: receives(media),
        speaks: sends(media),
      });
    return media;
  }

  #written(laws: readonly SdpCodec[], keys: number | null, direction: Direction): string {
    const payloads = [...laws.map(({ payload }) => payload), ...(keys === null ? [] : [keys])];
    const { named = ['audio'], at = 0 } = this.#media ?? {};
    const media = named.flatMap((kind, n) =>
      n === at
        ? [
            `m=audio ${this.rtp.port} RTP/AVP ${payloads.join(' ')}`,
            ...laws.map(({ law, payload }) => `a=rtpmap:${payload} ${law}/8000`),
            ...(keys === null
              ? []
              : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-15`]),
            'a=ptime:20',
            `a=${direction}`,
          ]
        : [`m=${kind.replace(/^(\S*) ?/, '$1 0 ')}`],
    );
    const body = ['s=-', `c=IN IP4 ${this.host}`, 't=0 0', ...media, ''].join('\r\n');
    // §8: the same session, one version further for each change.
    if (this.#last !== '' && this.#last !== body) this.#version++;
    this.#last = body;
    return `v=0\r\no=- ${this.#id} ${this.#version} IN IP4 ${this.host}\r\n${body}`;
  }
}

const receives = (media: SdpMedia): boolean =>
  media.host !== null && (media.direction === 'sendrecv' || media.direction === 'recvonly');
const sends = (media: SdpMedia): boolean =>
  media.direction === 'sendrecv' || media.direction === 'sendonly';
