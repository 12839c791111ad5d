/** A desk phone's sound: plain RTP with G.711, changed to and from the exchange's 20 ms frames of Opus. */
import { createSocket, type Socket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { frameSamples, resample, sampleRate } from '../../../../platform/audio/resample.ts';
import { Ear, Mouth } from '../opus.ts';
import { KeyListener, type Heard, type Peer } from '../peer.ts';
import { decode, encode, type Law } from './g711.ts';

const phoneRate = 8000;
const frameBytes = 160;

export interface RtpPeer extends Peer {
  port: number;
  /** Where the phone listens and what it speaks, once that is agreed. */
  plug(to: { host: string; port: number; law: Law; payload: number; keys: number | null }): void;
}

export async function rtpPeer(address: string, on: { packet: (heard: Heard & { pcm: Int16Array }) => void; key: (digit: string) => void; closed: () => void }, ports?: [number, number]): Promise<RtpPeer> {
  const socket = await bound(address, ports);
  const ear = new Ear();
  const mouth = new Mouth();
  const keys = new KeyListener(on.key);
  const [widen, narrow] = [new Steady(phoneRate, sampleRate), new Steady(sampleRate, phoneRate)];
  const ssrc = randomInt(1, 0xffff_ffff);
  let plugged: Parameters<RtpPeer['plug']>[0] | null = null;
  let [sequence, timestamp] = [randomInt(0, 0x7fff), randomInt(0, 0x7fff_ffff)];
  let sentMs = 0;
  let lastHeardMs = 0;
  let closed = false;
  let [heardFrames, kept] = [0, new Int16Array(0)];

  socket.on('message', (packet, from) => {
    if (packet.length < 13 || (packet[0] ?? 0) >> 6 !== 2 || !plugged) return;
    lastHeardMs = performance.now();
    // A phone behind a router is answered where it speaks from.
    [plugged.host, plugged.port] = [from.address, from.port];
    const payload = packet.subarray(12 + 4 * ((packet[0] ?? 0) & 0x0f));
    const type = (packet[1] ?? 0) & 0x7f;
    if (type === plugged.keys) return keys.hear(payload, packet.readUInt32BE(4));
    if (type !== plugged.payload) return;
    const wide = widen.push(decode(plugged.law, payload));
    const all = new Int16Array(kept.length + wide.length);
    all.set(kept);
    all.set(wide, kept.length);
    let at = 0;
    for (; at + frameSamples <= all.length; at += frameSamples) {
      const pcm = all.slice(at, at + frameSamples);
      on.packet({ payload: mouth.say(pcm), pcm, sequenceNumber: heardFrames % 65_536, timestamp: (heardFrames * 960) % 0x1_0000_0000 });
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
      plugged = { ...to };
    },
    send(opus) {
      if (closed || !plugged) return;
      const nowMs = performance.now();
      const bytes = encode(plugged.law, narrow.push(ear.hear(opus)));
      // The clock runs on through what was not sent.
      const passed = sentMs === 0 ? frameBytes : Math.max(frameBytes, Math.round((nowMs - sentMs) / 20) * frameBytes);
      sentMs = nowMs;
      sequence = (sequence + 1) % 65_536;
      timestamp = (timestamp + passed) % 0x1_0000_0000;
      const header = Buffer.alloc(12);
      header.writeUInt8(0x80, 0);
      header.writeUInt8(plugged.payload, 1);
      header.writeUInt16BE(sequence, 2);
      header.writeUInt32BE(timestamp, 4);
      header.writeUInt32BE(ssrc, 8);
      socket.send(Buffer.concat([header, bytes]), plugged.port, plugged.host, () => undefined);
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
    return resample(whole, this.from, this.to).slice(this.#edge * ratio, (whole.length - this.#edge) * ratio);
  }
}
