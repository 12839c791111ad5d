/** One browser's sound: a WebRTC connection that carries Opus both ways and RFC 4733 keys in. */
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
} from 'werift';
import { networkInterfaces } from 'node:os';
import type { RtpStamp } from './rtp-clock.ts';

export interface ReceivedPacket {
  payload: Buffer;
  sequenceNumber: number;
  /** 48 kHz, wraps at 2^32. */
  timestamp: number;
  /** The same decoded, where it came so. */
  pcm?: Int16Array;
}

export interface Peer {
  /** The answer to the browser's offer, complete with candidates. */
  sdp: string;
  /** Resolves when sound can flow; rejects when it did not within the time given (10 s). */
  connected: Promise<void>;
  /** performance.now() of the last packet heard; 0 before the first. */
  lastReceivedMs: () => number;
  send(payload: Buffer, stamp: RtpStamp): void;
  close(): void;
}

const opusCodec = (): RTCRtpCodecParameters =>
  new RTCRtpCodecParameters({
    mimeType: 'audio/opus',
    clockRate: 48000,
    channels: 2,
    payloadType: 111,
    parameters: 'minptime=10;useinbandfec=1',
  });
const dtmfCodec = (clockRate: number): RTCRtpCodecParameters =>
  new RTCRtpCodecParameters({
    mimeType: 'audio/telephone-event',
    clockRate,
    payloadType: clockRate === 48000 ? 110 : 126,
    parameters: '0-16',
  });

/** A machine with no network still has itself to call. */
const hasNoNetwork = (): boolean =>
  !Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => address.family === 'IPv4' && !address.internal),
  );

/** Throws when the offer has no Opus, or is no offer at all. */
export async function answerOffer(
  offer: string,
  on: {
    packet: (packet: ReceivedPacket) => void;
    key: (digit: string) => void;
    closed: () => void;
  },
  udpPorts?: [number, number],
  /** Where this machine is reached from outside, when its own addresses are not it. */
  publicAddress?: string,
  timeoutMs = 10_000,
): Promise<Peer> {
  const { sdp, keyClockRate } = singleDtmfClock(offer);
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: hasNoNetwork() ? ['127.0.0.1'] : undefined,
    icePortRange: udpPorts,
    codecs: {
      audio: [opusCodec(), ...(keyClockRate === null ? [] : [dtmfCodec(keyClockRate)])],
      video: [],
    },
    headerExtensions: { audio: [], video: [] },
  });
  let closed = false;
  let lastHeardMs = 0;
  const close = (): void => {
    if (closed) return;
    closed = true;
    connection.close().catch(() => undefined);
    on.closed();
  };
  const keys = new DtmfReceiver(on.key);

  const connected = new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`No audio received within ${timeoutMs / 1000} seconds.`)),
      timeoutMs,
    );
    connection.connectionStateChange.subscribe((state) => {
      if (state === 'connected') {
        clearTimeout(late);
        resolve();
      }
      if (state === 'failed' || state === 'closed') {
        clearTimeout(late);
        reject(new Error(`The connection ${state}.`));
        close();
      }
    });
  });
  connected.catch(close);

  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe((packet) => {
      lastHeardMs = performance.now();
      if (keyPayload !== null && packet.header.payloadType === keyPayload)
        return keys.receive(packet.payload, packet.header.timestamp);
      on.packet({
        payload: packet.payload,
        sequenceNumber: packet.header.sequenceNumber,
        timestamp: packet.header.timestamp,
      });
    });
  });
  let keyPayload: number | null = null;

  try {
    await connection.setRemoteDescription({ type: 'offer', sdp });
    const transceiver = connection.getTransceivers()[0];
    if (!transceiver || transceiver.kind !== 'audio')
      throw new Error('The offer contains no audio.');
    const sender = new MediaStreamTrack({ kind: 'audio' });
    transceiver.setDirection('sendrecv');
    await transceiver.sender.replaceTrack(sender);
    keyPayload =
      transceiver.codecs.find((codec) => codec.name.toLowerCase() === 'telephone-event')
        ?.payloadType ?? null;
    // werift asks a public STUN server when it is given none. Nothing of ours calls a stranger unasked.
    for (const transport of connection.iceTransports)
      delete (transport.connection as { stunServer?: unknown }).stunServer;
    await connection.setLocalDescription(await connection.createAnswer());
    return {
      sdp: addPublicCandidates(connection.localDescription?.sdp ?? '', publicAddress),
      connected,
      lastReceivedMs: () => lastHeardMs,
      send(payload, stamp) {
        if (!closed)
          sender.writeRtp(new RtpPacket(new RtpHeader({ ...stamp, payloadType: 111 }), payload));
      },
      close,
    };
  } catch (trouble) {
    close();
    throw trouble;
  }
}

/**
 * A machine behind a router that passes its ports on does not know its outer address: each of its candidates is said once
 * more with that one. Nothing is asked of anybody for it.
 */
export function addPublicCandidates(sdp: string, address: string | undefined): string {
  if (address === undefined || address.startsWith('127.') || sdp.includes(` ${address} `))
    return sdp;
  return sdp.replace(
    /^a=candidate:(\S+) (\d+) udp (\d+) (\d+\.\d+\.\d+\.\d+) (\d+) typ host.*$/gim,
    (
      line: string,
      foundation: string,
      component: string,
      priority: string,
      _own: string,
      port: string,
    ) =>
      `${line.trimEnd()}\r\na=candidate:${foundation}o ${component} udp ${Math.max(1, Number(priority) - 1)} ${address} ${port} typ host`,
  );
}

/**
 * An offer may name key events at several clock rates; werift would agree to all and confuse them.
 * Only one is left: Opus's own 48 kHz where offered, else 8 kHz.
 */
function singleDtmfClock(sdp: string): { sdp: string; keyClockRate: number | null } {
  const offered = [...sdp.matchAll(/^a=rtpmap:(\d+) telephone-event\/(\d+)/gm)].map(
    ([, payload, rate]) => ({ payload: payload ?? '', rate: Number(rate) }),
  );
  const kept =
    offered.find(({ rate }) => rate === 48000) ?? offered.find(({ rate }) => rate === 8000) ?? null;
  const dropped = new Set(offered.filter((one) => one !== kept).map(({ payload }) => payload));
  const lines = sdp
    .split(/\r?\n/)
    .filter((line) => !dropped.has(/^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line)?.[1] ?? ''))
    .map((line) =>
      line.startsWith('m=audio')
        ? line
            .split(' ')
            .filter((word, i) => i < 3 || !dropped.has(word))
            .join(' ')
        : line,
    );
  return { sdp: lines.join('\r\n'), keyClockRate: kept?.rate ?? null };
}

/** A key is sent many times over; it is one key for as long as its timestamp stays. */
export class DtmfReceiver {
  #last: number | null = null;

  constructor(private readonly onKey: (digit: string) => void) {}

  receive(payload: Buffer, timestamp: number): void {
    const event = payload[0];
    if (event === undefined || timestamp === this.#last) return;
    const digit = '0123456789*#ABCD'[event];
    this.#last = timestamp;
    if (digit !== undefined) this.onKey(digit);
  }
}
