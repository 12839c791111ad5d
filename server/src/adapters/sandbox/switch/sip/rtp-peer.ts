/** A desk phone's sound: plain RTP with G.711, changed to and from the exchange's 20 ms frames of Opus. */
import { createSocket, type Socket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { frameSamples, resample, sampleRate } from '../../../../platform/audio/resample.ts';
import { Ear, Mouth } from '../opus.ts';
import { KeyListener, type Heard, type Peer } from '../peer.ts';
import { decode, encode, type Law } from './g711.ts';

const phoneRate = 8000;
const frameBytes = 160;
/** Sound in one packet beyond this (200 ms) is not what any phone sends. Bytes. */
const mostPayload = 1600;
/** Packets in a row, of one stream, before an address that was not announced is believed to be the phone's. */
const convincingPackets = 4;
/** A phone may begin a new stream from the same address when its old one has been silent this long. Milliseconds. */
const oldStreamSilentMs = 1000;

/** Streams that are listened to at once while none is believed yet. */
const mostCandidates = 16;

interface Source {
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
  plug(to: Plug): void;
}
export interface Plug {
  host: string;
  port: number;
  law: Law;
  payload: number;
  keys: number | null;
  sends?: boolean;
  speaks?: boolean;
}

export async function rtpPeer(
  address: string,
  on: {
    packet: (heard: Heard & { pcm: Int16Array }) => void;
    key: (digit: string) => void;
    closed: () => void;
  },
  ports?: [number, number],
): Promise<RtpPeer> {
  const socket = await bound(address, ports);
  const ear = new Ear();
  const mouth = new Mouth();
  const keys = new KeyListener(on.key);
  const [widen, narrow] = [new Steady(phoneRate, sampleRate), new Steady(sampleRate, phoneRate)];
  const ssrc = randomInt(1, 0xffff_ffff);
  let plugged: Plug | null = null;
  /** The one stream that is taken, once learned. Nothing from elsewhere is heard or answered until the call moves. */
  let source: Source | null = null;
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
  function isPhone(packet: Buffer, from: { address: string; port: number }, to: Plug): boolean {
    const ssrc = packet.readUInt32BE(8);
    const nowMs = performance.now();
    const isSound = ((packet[1] ?? 0) & 0x7f) === to.payload;
    const announced = from.address === to.host && from.port === to.port;
    if (source?.host === from.address && source.port === from.port) {
      if (source.ssrc !== ssrc) {
        if (!isSound || nowMs - source.heardMs < oldStreamSilentMs) return false;
        source.ssrc = ssrc;
      }
      source.heardMs = nowMs;
      return true;
    }
    if (!isSound || (source && (source.announced || !announced))) return false;
    if (!announced && !convinces(`${from.address} ${from.port} ${ssrc}`, packet.readUInt16BE(2)))
      return false;
    source = { host: from.address, port: from.port, ssrc, announced, heardMs: nowMs };
    candidates.clear();
    return true;
  }
  function convinces(stream: string, number: number): boolean {
    const known = candidates.get(stream);
    const count = known?.next === number ? known.count + 1 : 1;
    if (!known && candidates.size >= mostCandidates) candidates.clear();
    candidates.set(stream, { next: (number + 1) % 65_536, count });
    return count >= convincingPackets;
  }

  socket.on('message', (packet, from) => {
    const payload = payloadOf(packet);
    if (!payload || !plugged || !isPhone(packet, from, plugged)) return;
    lastHeardMs = performance.now();
    const type = (packet[1] ?? 0) & 0x7f;
    if (plugged.keys !== null && type === plugged.keys)
      return keys.hear(payload, packet.readUInt32BE(4));
    if (type !== plugged.payload || plugged.speaks === false) return;
    const wide = widen.push(decode(plugged.law, payload.subarray(0, mostPayload)));
    const all = new Int16Array(kept.length + wide.length);
    all.set(kept);
    all.set(wide, kept.length);
    let at = 0;
    for (; at + frameSamples <= all.length; at += frameSamples) {
      const pcm = all.slice(at, at + frameSamples);
      on.packet({
        payload: mouth.say(pcm),
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
    lastHeardMs: () => lastHeardMs,
    plug(to) {
      // Moved: whoever was the phone until now no longer is.
      if (plugged?.host !== to.host || plugged.port !== to.port) {
        source = null;
        candidates.clear();
      }
      plugged = { ...to };
    },
    send(opus) {
      if (closed || !plugged || plugged.sends === false) return;
      const nowMs = performance.now();
      const bytes = encode(plugged.law, narrow.push(ear.hear(opus)));
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
      header.writeUInt8(plugged.payload, 1);
      header.writeUInt16BE(sequence, 2);
      header.writeUInt32BE(timestamp, 4);
      header.writeUInt32BE(ssrc, 8);
      // A phone behind a router is answered where it speaks from.
      const { host, port } = source ?? plugged;
      socket.send(Buffer.concat([header, bytes]), port, host, () => undefined);
    },
    close() {
      if (closed) return;
      closed = true;
      socket.close();
      ear.done();
      mouth.done();
      on.closed();
    },
  };
}

/** The sound or keys in an RTP packet, without contributors, extension and padding; null when it is not one. */
function payloadOf(packet: Buffer): Buffer | null {
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

async function bound(address: string, ports?: [number, number]): Promise<Socket> {
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
class Steady {
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
