/**
 * A browser's audio: a WebRTC connection that carries Opus both ways and receives RFC 4733 keys.
 */
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
  /** The same decoded, where that is known already. */
  pcm?: Int16Array;
}

export interface Peer {
  /** The answer to the browser's offer, complete with candidates. */
  sdp: string;
  /** Resolves when audio can flow; rejects when it cannot within the time given (10 s). */
  connected: Promise<void>;
  /** `performance.now()` of the last packet received; 0 before the first. */
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

/** Without a network the loopback is the only address to offer. */
const hasNoNetwork = (): boolean =>
  !Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => address.family === 'IPv4' && !address.internal),
  );

interface PeerListeners {
  packet: (packet: ReceivedPacket) => void;
  key: (digit: string) => void;
  closed: () => void;
}

/**
 * Answers a browser's offer. Throws when it has no Opus or is not an offer. `publicAddress`: where
 * this machine is reached from outside, when it is behind a NAT.
 */
export async function answerOffer(
  offer: string,
  on: PeerListeners,
  udpPorts?: [number, number],
  publicAddress?: string,
  timeoutMs = 10_000,
): Promise<Peer> {
  const { sdp, dtmfClockRate } = singleDtmfClock(offer);
  const connection = openConnection(dtmfClockRate, udpPorts);
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    connection.close().catch(() => undefined);
    on.closed();
  };
  const connected = connectionOf(connection, timeoutMs, close);
  connected.catch(close);
  const received = receiveAudio(connection, on);

  try {
    const { sender, dtmfPayload } = await negotiate(connection, sdp);
    received.dtmfPayload = dtmfPayload;
    return {
      sdp: addPublicCandidates(connection.localDescription?.sdp ?? '', publicAddress),
      connected,
      lastReceivedMs: () => received.lastMs,
      send(payload, stamp) {
        if (!closed)
          sender.writeRtp(new RtpPacket(new RtpHeader({ ...stamp, payloadType: 111 }), payload));
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function openConnection(
  dtmfClockRate: number | null,
  udpPorts: [number, number] | undefined,
): RTCPeerConnection {
  const dtmf = dtmfClockRate === null ? [] : [dtmfCodec(dtmfClockRate)];
  return new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: hasNoNetwork() ? ['127.0.0.1'] : undefined,
    icePortRange: udpPorts,
    codecs: { audio: [opusCodec(), ...dtmf], video: [] },
    headerExtensions: { audio: [], video: [] },
  });
}

/** Resolves when the connection is up; rejects when it fails or takes longer than `timeoutMs`. */
function connectionOf(
  connection: RTCPeerConnection,
  timeoutMs: number,
  close: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(
      () => reject(new Error(`No audio connection within ${timeoutMs / 1000} seconds.`)),
      timeoutMs,
    );
    connection.connectionStateChange.subscribe((state) => {
      if (state === 'connected') {
        clearTimeout(timeout);
        resolve();
      }
      if (state === 'failed' || state === 'closed') {
        clearTimeout(timeout);
        reject(new Error(`The connection ${state}.`));
        close();
      }
    });
  });
}

/**
 * Hands on the packets of the connection. The payload type of keys is known only after negotiation.
 */
function receiveAudio(connection: RTCPeerConnection, on: PeerListeners) {
  const received = { lastMs: 0, dtmfPayload: null as number | null };
  const keys = new DtmfReceiver(on.key);
  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ header, payload }) => {
      received.lastMs = performance.now();
      const { payloadType, sequenceNumber, timestamp } = header;
      if (received.dtmfPayload !== null && payloadType === received.dtmfPayload)
        return keys.receive(payload, timestamp);
      on.packet({ payload, sequenceNumber, timestamp });
    });
  });
  return received;
}

/** Takes the offer and prepares the answer. Rejects when the offer has no audio. */
async function negotiate(
  connection: RTCPeerConnection,
  sdp: string,
): Promise<{ sender: MediaStreamTrack; dtmfPayload: number | null }> {
  await connection.setRemoteDescription({ type: 'offer', sdp });
  const transceiver = connection.getTransceivers()[0];
  if (!transceiver || transceiver.kind !== 'audio') throw new Error('The offer has no audio.');
  const sender = new MediaStreamTrack({ kind: 'audio' });
  transceiver.setDirection('sendrecv');
  await transceiver.sender.replaceTrack(sender);
  const dtmf = transceiver.codecs.find((codec) => codec.name.toLowerCase() === 'telephone-event');
  // werift uses a public STUN server when none is given. The exchange calls no third party unasked.
  for (const transport of connection.iceTransports)
    delete (transport.connection as { stunServer?: unknown }).stunServer;
  await connection.setLocalDescription(await connection.createAnswer());
  return { sender, dtmfPayload: dtmf?.payloadType ?? null };
}

/**
 * Repeats each host candidate with the public address. A machine behind a NAT with port forwarding
 * does not know that address itself, and no STUN server is asked for it.
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
 * An offer may list telephone-event at several clock rates; werift would accept all and confuse
 * them. Keeps only one: Opus's own 48 kHz where offered, else 8 kHz. `dtmfClockRate` null: none is
 * offered.
 */
function singleDtmfClock(sdp: string): { sdp: string; dtmfClockRate: number | null } {
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
  return { sdp: lines.join('\r\n'), dtmfClockRate: kept?.rate ?? null };
}

/** A key press is sent in many packets (RFC 4733 §2.5); they all have the same timestamp. */
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
