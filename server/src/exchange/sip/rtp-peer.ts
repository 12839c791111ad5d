/**
 * A desk phone's audio: plain RTP with G.711, converted to and from the exchange's 20 ms Opus
 * frames.
 */
import { createSocket, type Socket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { frameSamples, resample, sampleRate } from '../../platform/audio/resample.ts';
import { StreamDecoder, StreamEncoder } from '../opus.ts';
import { DtmfReceiver, type ReceivedPacket, type Peer } from '../peer.ts';
import { decode, encode, type Law } from '../../platform/audio/g711.ts';
import { RtpSource } from './rtp-source.ts';

const g711Rate = 8000;
/** 20 ms of G.711. */
const frameBytes = 160;
/** Audio in one packet beyond this (200 ms) is not what any phone sends. Bytes. */
const maxPayloadBytes = 1600;
/** 20 ms at Opus's 48 kHz. */
const frameTicks = 960;

export interface RtpPeer extends Peer {
  port: number;
  /**
   * Sets where the phone listens and what it sends, once that is agreed. When the address changes,
   * the source of its audio is learned again.
   */
  connect(to: RtpTarget): void;
}
export interface RtpTarget {
  host: string;
  port: number;
  law: Law;
  payload: number;
  /** Payload type of RFC 4733 keys; null when the phone does not send them. */
  dtmfPayload: number | null;
  /** Whether the phone wants to receive audio. True by default. */
  sends?: boolean;
  /** Whether the phone's audio may be heard. True by default. */
  speaks?: boolean;
}
interface RtpListeners {
  packet: (packet: ReceivedPacket & { pcm: Int16Array }) => void;
  key: (digit: string) => void;
  closed: () => void;
}

/** Binds a UDP port, one of `ports` (first, last) where given. Rejects when none is free. */
export async function openRtpPeer(
  address: string,
  on: RtpListeners,
  ports?: [number, number],
): Promise<RtpPeer> {
  return new G711Peer(await bindSocket(address, ports), on);
}

class G711Peer implements RtpPeer {
  readonly sdp = '';
  readonly connected = Promise.resolve();
  readonly port: number;
  readonly #decoder = new StreamDecoder();
  readonly #encoder = new StreamEncoder();
  readonly #keys: DtmfReceiver;
  readonly #upsampler = new Resampler(g711Rate, sampleRate);
  readonly #downsampler = new Resampler(sampleRate, g711Rate);
  readonly #ssrc = randomInt(1, 0xffff_ffff);
  readonly #source = new RtpSource();
  #target: RtpTarget | null = null;
  #sequence = randomInt(0, 0x7fff);
  #timestamp = randomInt(0, 0x7fff_ffff);
  #lastSentMs = 0;
  #lastReceivedMs = 0;
  #receivedFrames = 0;
  /** Received samples that do not fill a frame yet. */
  #partialFrame = new Int16Array(0);
  #closed = false;

  constructor(
    private readonly socket: Socket,
    private readonly on: RtpListeners,
  ) {
    this.port = socket.address().port;
    this.#keys = new DtmfReceiver(on.key);
    socket.on('message', (packet, from) => this.#receive(packet, from));
  }

  lastReceivedMs(): number {
    return this.#lastReceivedMs;
  }

  connect(to: RtpTarget): void {
    if (this.#target?.host !== to.host || this.#target.port !== to.port) this.#source.reset();
    this.#target = { ...to };
  }

  #receive(packet: Buffer, from: { address: string; port: number }): void {
    const target = this.#target;
    const payload = rtpPayload(packet);
    if (!payload || !target || !this.#source.accepts(packet, from, target)) return;
    this.#lastReceivedMs = performance.now();
    const type = (packet[1] ?? 0) & 0x7f;
    if (target.dtmfPayload !== null && type === target.dtmfPayload)
      return this.#keys.receive(payload, packet.readUInt32BE(4));
    if (type !== target.payload || target.speaks === false) return;
    const pcm = decode(target.law, payload.subarray(0, maxPayloadBytes));
    this.#handOnFrames(this.#upsampler.push(pcm));
  }

  /** Phones choose their own packet size; the exchange works with frames of 20 ms. */
  #handOnFrames(pcm: Int16Array): void {
    const samples = new Int16Array(this.#partialFrame.length + pcm.length);
    samples.set(this.#partialFrame);
    samples.set(pcm, this.#partialFrame.length);
    let at = 0;
    for (; at + frameSamples <= samples.length; at += frameSamples) {
      const frame = samples.slice(at, at + frameSamples);
      this.on.packet({
        payload: this.#encoder.encode(frame),
        pcm: frame,
        sequenceNumber: this.#receivedFrames % 65_536,
        timestamp: (this.#receivedFrames * frameTicks) % 0x1_0000_0000,
      });
      this.#receivedFrames++;
    }
    this.#partialFrame = samples.slice(at);
  }

  send(opus: Buffer): void {
    const target = this.#target;
    if (this.#closed || !target || target.sends === false) return;
    const bytes = encode(target.law, this.#downsampler.push(this.#decoder.decode(opus)));
    this.#advanceClock(performance.now());
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt8(target.payload, 1);
    header.writeUInt16BE(this.#sequence, 2);
    header.writeUInt32BE(this.#timestamp, 4);
    header.writeUInt32BE(this.#ssrc, 8);
    // A phone behind a NAT is sent to at the address it sends from.
    const { host, port } = this.#source.address ?? target;
    this.socket.send(Buffer.concat([header, bytes]), port, host, () => undefined);
  }

  /** The RTP timestamp also advances by the time in which nothing was sent. */
  #advanceClock(nowMs: number): void {
    const elapsedTicks = Math.round((nowMs - this.#lastSentMs) / 20) * frameBytes;
    const ticks = this.#lastSentMs === 0 ? frameBytes : Math.max(frameBytes, elapsedTicks);
    this.#lastSentMs = nowMs;
    this.#sequence = (this.#sequence + 1) % 65_536;
    this.#timestamp = (this.#timestamp + ticks) % 0x1_0000_0000;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.socket.close();
    this.#decoder.release();
    this.#encoder.release();
    this.on.closed();
  }
}

/** The payload of an RTP packet, without CSRCs, extension and padding; null when it is not RTP. */
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
    } catch (error) {
      socket.close();
      if (port >= to) throw error;
    }
  }
}

/**
 * Resamples a stream chunk by chunk. Each edge needs some samples before and after it, so the
 * output is 4 ms late but does not click.
 */
class Resampler {
  /** Samples of overlap at each edge. */
  readonly #edge: number;
  #tail: Int16Array;

  constructor(
    private readonly from: number,
    private readonly to: number,
  ) {
    this.#edge = from / 250;
    this.#tail = new Int16Array(2 * this.#edge);
  }

  push(chunk: Int16Array): Int16Array {
    const samples = new Int16Array(this.#tail.length + chunk.length);
    samples.set(this.#tail);
    samples.set(chunk, this.#tail.length);
    this.#tail = samples.slice(samples.length - 2 * this.#edge);
    const ratio = this.to / this.from;
    return resample(samples, this.from, this.to).slice(
      this.#edge * ratio,
      (samples.length - this.#edge) * ratio,
    );
  }
}
