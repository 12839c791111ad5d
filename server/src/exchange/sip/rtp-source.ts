/** Which RTP stream is the phone's. */

/** Consecutive packets of one stream before an address that was not announced is accepted. */
const latchPackets = 4;
/** A phone may start a new stream from the same address after this long a silence. Milliseconds. */
const streamReplacedAfterMs = 1000;
/** Streams tracked at once while none is accepted yet. */
const maxCandidates = 16;

interface AcceptedStream {
  host: string;
  port: number;
  ssrc: number;
  /** It comes from the address that the phone announced in its SDP. */
  announced: boolean;
  lastReceivedMs: number;
}

/** Where the phone said it listens, and the payload type of its audio. */
interface AnnouncedSource {
  host: string;
  port: number;
  payload: number;
}

/**
 * Strict RTP: the source is learned once, from packets in the agreed format. The announced address
 * is accepted at its first packet. Any other (a phone behind a NAT) is accepted after a few
 * consecutive packets of one stream, as long as the announced address is silent.
 */
export class RtpSource {
  #accepted: AcceptedStream | null = null;
  readonly #candidates = new Map<string, { nextSequence: number; count: number }>();

  /** The address the phone sends from; null until it is known. */
  get address(): { host: string; port: number } | null {
    return this.#accepted;
  }

  /** The call moved to another address: the source has to be learned again. */
  reset(): void {
    this.#accepted = null;
    this.#candidates.clear();
  }

  /** True when the packet is the phone's. */
  accepts(
    packet: Buffer,
    from: { address: string; port: number },
    announced: AnnouncedSource,
  ): boolean {
    const ssrc = packet.readUInt32BE(8);
    const nowMs = performance.now();
    const isAudio = ((packet[1] ?? 0) & 0x7f) === announced.payload;
    const accepted = this.#accepted;
    if (accepted?.host === from.address && accepted.port === from.port) {
      if (accepted.ssrc !== ssrc) {
        if (!isAudio || nowMs - accepted.lastReceivedMs < streamReplacedAfterMs) return false;
        accepted.ssrc = ssrc;
      }
      accepted.lastReceivedMs = nowMs;
      return true;
    }
    const isAnnounced = from.address === announced.host && from.port === announced.port;
    if (!isAudio || (accepted && (accepted.announced || !isAnnounced))) return false;
    const stream = `${from.address} ${from.port} ${ssrc}`;
    if (!isAnnounced && !this.#isLatched(stream, packet.readUInt16BE(2))) return false;
    this.#accepted = {
      host: from.address,
      port: from.port,
      ssrc,
      announced: isAnnounced,
      lastReceivedMs: nowMs,
    };
    this.#candidates.clear();
    return true;
  }

  #isLatched(stream: string, sequence: number): boolean {
    const known = this.#candidates.get(stream);
    const count = known?.nextSequence === sequence ? known.count + 1 : 1;
    if (!known && this.#candidates.size >= maxCandidates) this.#candidates.clear();
    this.#candidates.set(stream, { nextSequence: (sequence + 1) % 65_536, count });
    return count >= latchPackets;
  }
}
