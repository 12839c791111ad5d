/** A desk phone's sound: plain RTP with G.711, changed to and from the exchange's 20 ms frames of Opus. */
import { createSocket, type Socket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { frameSamples, resample, sampleRate } from '../../platform/audio/resample.ts';
import { StreamDecoder, StreamEncoder } from '../opus.ts';
import { DtmfReceiver, type ReceivedPacket, type Peer } from '../peer.ts';
import { decode, encode, type Law } from './g711.ts';

const g711Rate = 8000;
const frameBytes = 160;
/** Sound in one packet beyond this (200 ms) is not what any phone sends. Bytes. */
const maxPayloadBytes = 1600;
/** Packets in a row, of one stream, before an address that was not announced is believed to be the phone's. */
const latchPackets = 4;
/** A phone may begin a new stream from the same address when its old one has been silent this long. Milliseconds. */
const streamReplacedAfterMs = 1000;

/** Streams that are listened to at once while none is believed yet. */
const maxCandidates = 16;

interface RtpSource {
  host: string;
  port: number;
  ssrc: number;
  /** It is where the phone said it is. */
  announced: boolean;
  heardMs: number;
}

export interface RtpPeer extends Peer {
  port: number;
  /**
   * Where the phone listens and what it speaks, once that is agreed. Another address than before makes the source of its
   * sound be learned anew. `sends`: whether the phone wants to hear us, `speaks`: whether it may be heard (both by default).
   */
  connect(to: RtpTarget): void;
}
export interface RtpTarget {
  host: string;
  port: number;
  law: Law;
  payload: number;
  dtmfPayload: number | null;
  sends?: boolean;
  speaks?: boolean;
}

export async function openRtpPeer(
  address: string,
  on: {
    packet: (packet: ReceivedPacket & { pcm: Int16Array }) => void;
    key: (digit: string) => void;
    closed: () => void;
  },
  ports?: [number, number],
): Promise<RtpPeer> {
  const socket = await bindSocket(address, ports);
  const decoder = new StreamDecoder();
  const encoder = new StreamEncoder();
  const keys = new DtmfReceiver(on.key);
  const [upsampler, downsampler] = [
    new Resampler(g711Rate, sampleRate),
    new Resampler(sampleRate, g711Rate),
  ];
  const ssrc = randomInt(1, 0xffff_ffff);
  let target: RtpTarget | null = null;
  /** The one stream that is taken, once learned. Nothing from elsewhere is heard or answered until the call moves. */
  let source: RtpSource | null = null;
  const candidates = new Map<string, { next: number; count: number }>();
  let [sequence, timestamp] = [randomInt(0, 0x7fff), randomInt(0, 0x7fff_ffff)];
  let sentMs = 0;
  let lastHeardMs = 0;
  let closed = false;
  let [heardFrames, kept] = [0, new Int16Array(0)];

  /**
   * Strict RTP: the source is learned once, from sound in the agreed format. The announced address is believed at the
   * first packet, any other (a phone behind a router) after a few of one stream, for as long as the announced one is
   * silent. True when the packet is the phone's.
   */
  function isPhone(
    packet: Buffer,
    from: { address: string; port: number },
    to: RtpTarget,
  ): boolean {
    const ssrc = packet.readUInt32BE(8);
    const nowMs = performance.now();
    const isSound = ((packet[1] ?? 0) & 0x7f) === to.payload;
    const announced = from.address === to.host && from.port === to.port;
    if (source?.host === from.address && source.port === from.port) {
      if (source.ssrc !== ssrc) {
        if (!isSound || nowMs - source.heardMs < streamReplacedAfterMs) return false;
        source.ssrc = ssrc;
      }
      source.heardMs = nowMs;
      return true;
    }
    if (!isSound || (source && (source.announced || !announced))) return false;
    if (!announced && !isLatched(`${from.address} ${from.port} ${ssrc}`, packet.readUInt16BE(2)))
      return false;
    source = { host: from.address, port: from.port, ssrc, announced, heardMs: nowMs };
    candidates.clear();
    return true;
  }
  function isLatched(stream: string, number: number): boolean {
    const known = candidates.get(stream);
    const count = known?.next === number ? known.count + 1 : 1;
    if (!known && candidates.size >= maxCandidates) candidates.clear();
    candidates.set(stream, { next: (number + 1) % 65_536, count });
    return count >= latchPackets;
  }

  socket.on('message', (packet, from) => {
    const payload = rtpPayload(packet);
    if (!payload || !target || !isPhone(packet, from, target)) return;
    lastHeardMs = performance.now();
    const type = (packet[1] ?? 0) & 0x7f;
    if (target.dtmfPayload !== null && type === target.dtmfPayload)
      return keys.receive(payload, packet.readUInt32BE(4));
    if (type !== target.payload || target.speaks === false) return;
    const wide = upsampler.push(decode(target.law, payload.subarray(0, maxPayloadBytes)));
    const all = new Int16Array(kept.length + wide.length);
    all.set(kept);
    all.set(wide, kept.length);
    let at = 0;
    for (; at + frameSamples <= all.length; at += frameSamples) {
      const pcm = all.slice(at, at + frameSamples);
      on.packet({
        payload: encoder.encode(pcm),
        pcm,
        sequenceNumber: heardFrames % 65_536,
        timestamp: (heardFrames * 960) % 0x1_0000_0000,
      });
      heardFrames++;
    }
    kept = all.slice(at);
  });

  return {
    sdp: '',
    port: socket.address().port,
    connected: Promise.resolve(),
    lastReceivedMs: () => lastHeardMs,
    connect(to) {
      // Moved: whoever was the phone until now no longer is.
      if (target?.host !== to.host || target.port !== to.port) {
        source = null;
        candidates.clear();
      }
      target = { ...to };
    },
    send(opus) {
      if (closed || !target || target.sends === false) return;
      const nowMs = performance.now();
      const bytes = encode(target.law, downsampler.push(decoder.decode(opus)));
      // The clock runs on through what was not sent.
      const passed =
        sentMs === 0
          ? frameBytes
          : Math.max(frameBytes, Math.round((nowMs - sentMs) / 20) * frameBytes);
      sentMs = nowMs;
      sequence = (sequence + 1) % 65_536;
      timestamp = (timestamp + passed) % 0x1_0000_0000;
      const header = Buffer.alloc(12);
      header.writeUInt8(0x80, 0);
      header.writeUInt8(target.payload, 1);
      header.writeUInt16BE(sequence, 2);
      header.writeUInt32BE(timestamp, 4);
      header.writeUInt32BE(ssrc, 8);
      // A phone behind a router is answered where it speaks from.
      const { host, port } = source ?? target;
      socket.send(Buffer.concat([header, bytes]), port, host, () => undefined);
    },
    close() {
      if (closed) return;
      closed = true;
      socket.close();
      decoder.release();
      encoder.release();
      on.closed();
    },
  };
}

/** The sound or keys in an RTP packet, without contributors, extension and padding; null when it is not one. */
function rtpPayload(packet: Buffer): Buffer | null {
  const first = packet[0] ?? 0;
  let start = 12 + 4 * (first & 0x0f);
  if (packet.length <= start || first >> 6 !== 2) return null;
  if (first & 0x10) {
    if (packet.length < start + 4) return null;
    start += 4 + 4 * packet.readUInt16BE(start + 2);
  }
  const end = packet.length - (first & 0x20 ? (packet.at(-1) ?? 0) : 0);
  return end > start ? packet.subarray(start, end) : null;
}

async function bindSocket(address: string, ports?: [number, number]): Promise<Socket> {
  const [from, to] = ports ?? [0, 0];
  for (let port = from; ; port++) {
    const socket = createSocket('udp4');
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind(port, address, () => {
          socket.off('error', reject);
          resolve();
        });
      });
      socket.on('error', () => undefined);
      return socket;
    } catch (trouble) {
      socket.close();
      if (port >= to) throw trouble;
    }
  }
}

/** Changes the rate of a stream piece by piece. A little of what went before and comes after is needed at each edge: 4 ms late, no clicks. */
class Resampler {
  readonly #edge: number;
  #tail: Int16Array;

  constructor(
    private readonly from: number,
    private readonly to: number,
  ) {
    this.#edge = from / 250;
    this.#tail = new Int16Array(2 * this.#edge);
  }

  push(piece: Int16Array): Int16Array {
    const whole = new Int16Array(this.#tail.length + piece.length);
    whole.set(this.#tail);
    whole.set(piece, this.#tail.length);
    this.#tail = whole.slice(whole.length - 2 * this.#edge);
    const ratio = this.to / this.from;
    return resample(whole, this.from, this.to).slice(
      this.#edge * ratio,
      (whole.length - this.#edge) * ratio,
    );
  }
}
