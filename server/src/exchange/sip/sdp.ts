/** The subset of SDP (RFC 8866) that a G.711 call needs, with offer, answer and hold (RFC 3264). */
import { randomInt } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Law } from '../../platform/audio/g711.ts';
import type { RtpPeer } from './rtp-peer.ts';

/** From the point of view of the side that sends it. */
type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
interface SdpCodec {
  law: Law;
  payload: number;
}
interface SdpMedia {
  /** Null: nothing may be sent (`c=0.0.0.0`, the old way to hold, RFC 3264 §8.4). */
  host: string | null;
  port: number;
  codecs: SdpCodec[];
  /** Payload type of RFC 4733 keys; null when they are not offered. */
  dtmfPayload: number | null;
  direction: Direction;
  /**
   * All media lines in order, without their ports: `audio RTP/AVP 0 8`. The answer has to repeat
   * them.
   */
  mediaLines: string[];
  /** The index of this one among them. */
  index: number;
}

const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const maxLines = 500;
const maxMedia = 16;
const ourCodecs: SdpCodec[] = [
  { law: 'PCMU', payload: 0 },
  { law: 'PCMA', payload: 8 },
];
const ourDtmfPayload = 101;

/** Reads an offer or answer; null when it has no audio that we support. */
export function readMedia(sdp: string): SdpMedia | null {
  const lines = sdp.split(/\r?\n/, maxLines);
  const starts = lines.flatMap((line, n) => (line.startsWith('m=') ? [n] : []));
  const session = lines.slice(0, starts[0] ?? lines.length);
  if (starts.length === 0 || starts.length > maxMedia || !lines[0]?.startsWith('v=0')) return null;
  const sections = starts.map((start, n) => lines.slice(start, starts[n + 1] ?? lines.length));
  const mediaLines = sections.map(([first = '']) =>
    first
      .slice(2)
      .replace(/^(\S+) \d+(\/\d+)? /, '$1 ')
      .slice(0, 200),
  );
  for (const [index, section] of sections.entries()) {
    const media = readAudio(section, session);
    if (media) return { ...media, mediaLines, index };
  }
  return null;
}

function readAudio(
  section: string[],
  session: string[],
): Omit<SdpMedia, 'mediaLines' | 'index'> | null {
  const audio = /^m=audio (\d{1,5}) RTP\/AVPF?((?: \d{1,3})+)\s*$/.exec(section[0] ?? '');
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
  const direction = [...section, ...session]
    .map((line) => line.slice(2).trim())
    .find((line): line is Direction => directions.includes(line));
  const keys = payloads.find((payload) => nameOf(payload) === 'TELEPHONE-EVENT') ?? null;
  return {
    host: host === '0.0.0.0' ? null : host,
    port,
    codecs: laws,
    dtmfPayload: keys,
    direction: direction ?? 'sendrecv',
  };
}

/** Multicast addresses (224.0.0.0 and up), to which no audio is sent. */
const isMulticast = (host: string): boolean => Number(host.split('.')[0]) >= 224;

/** The audio session of one call: the state of its offers and answers. */
export class MediaSession {
  readonly #id = randomInt(1, 2 ** 47);
  #version = 1;
  #last = '';
  #media: SdpMedia | null = null;
  /** Where audio was last connected to. */
  #connectedTo: { host: string; port: number } | null = null;

  constructor(
    /** The address we receive audio at, as the other side reaches it. */
    private readonly host: string,
    readonly rtp: RtpPeer,
  ) {}

  /** The other side has put us on hold: it wants no audio from us. */
  get held(): boolean {
    return this.#media !== null && !receives(this.#media);
  }

  /** Our offer: what was agreed before, else everything we support. */
  offer(): string {
    const { codecs: laws = ourCodecs, dtmfPayload: keys = ourDtmfPayload } = this.#media ?? {};
    return this.#write(laws, keys, 'sendrecv');
  }

  /**
   * Our answer to an offer. Null when it has no audio that we support; the session then stays as it
   * was.
   */
  answer(offer: string): string | null {
    const media = this.#agree(offer);
    const [law] = media?.codecs ?? [];
    if (!media || !law) return null;
    return this.#write([law], media.dtmfPayload, answeringDirection(media));
  }

  /** Takes the answer to our offer. False when it has no audio that we support. */
  accept(answer: string): boolean {
    return this.#agree(answer) !== null;
  }

  #agree(sdp: string): SdpMedia | null {
    const media = readMedia(sdp);
    const [law] = media?.codecs ?? [];
    if (!media || !law) return null;
    this.#media = media;
    // Without an address (hold) the last one stays connected, so that its source is not learned
    // again.
    const to = media.host === null ? this.#connectedTo : { host: media.host, port: media.port };
    this.#connectedTo = to;
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

  #write(laws: readonly SdpCodec[], keys: number | null, direction: Direction): string {
    const payloads = [...laws.map(({ payload }) => payload), ...(keys === null ? [] : [keys])];
    const { mediaLines = ['audio'], index = 0 } = this.#media ?? {};
    const media = mediaLines.flatMap((line, n) =>
      n === index
        ? [
            `m=audio ${this.rtp.port} ${profileOf(line)} ${payloads.join(' ')}`,
            ...laws.map(({ law, payload }) => `a=rtpmap:${payload} ${law}/8000`),
            ...(keys === null
              ? []
              : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-15`]),
            'a=ptime:20',
            `a=${direction}`,
          ]
        : [`m=${line.replace(/^(\S*) ?/, '$1 0 ')}`],
    );
    const body = ['s=-', `c=IN IP4 ${this.host}`, 't=0 0', ...media, ''].join('\r\n');
    // RFC 3264 §8: the version grows with every change.
    if (this.#last !== '' && this.#last !== body) this.#version++;
    this.#last = body;
    return `v=0\r\no=- ${this.#id} ${this.#version} IN IP4 ${this.host}\r\n${body}`;
  }
}

/**
 * The answer repeats the offered profile (RFC 3264 §6). Feedback (RTP/AVPF, RFC 4585) is offered by
 * phones that also know video; for plain audio nothing else differs.
 */
const profileOf = (mediaLine: string): string =>
  / RTP\/AVPF /.test(mediaLine) ? 'RTP/AVPF' : 'RTP/AVP';

/** Our direction in the answer to this offer (RFC 3264 §6.1). */
function answeringDirection(offer: SdpMedia): Direction {
  if (receives(offer)) return sends(offer) ? 'sendrecv' : 'sendonly';
  return sends(offer) ? 'recvonly' : 'inactive';
}

/** The other side wants to receive audio. */
const receives = (media: SdpMedia): boolean =>
  media.host !== null && (media.direction === 'sendrecv' || media.direction === 'recvonly');
/** The other side may send audio. */
const sends = (media: SdpMedia): boolean =>
  media.direction === 'sendrecv' || media.direction === 'sendonly';
