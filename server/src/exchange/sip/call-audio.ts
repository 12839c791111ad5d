import { answerOffer, type Peer, type ReceivedPacket } from '../peer.ts';
import { openRtpPeer } from './rtp-peer.ts';
import { MediaSession } from './sdp.ts';

/** Where a call's audio is sent and received. */
export interface AudioAddress {
  /** The address clients reach. */
  host: string;
  /** The address sockets are bound to. */
  bind: string;
  /** First and last port; any free one when left out. */
  udpPorts?: [number, number] | undefined;
}

/** The audio of one SIP call: RTP for desk phones and carriers, WebRTC for browsers. */
export class CallAudio {
  /** Null until `openRtp`. */
  rtp: MediaSession | null = null;
  /** Null until `openWebRtc`. */
  webRtc: Peer | null = null;

  constructor(
    private readonly address: AudioAddress,
    private readonly listeners: {
      packet: (packet: ReceivedPacket) => void;
      key: (digit: string) => void;
      closed: () => void;
    },
  ) {}

  /** The connection that carries the audio; null before there is one. */
  get peer(): Peer | null {
    return this.rtp?.rtp ?? this.webRtc;
  }

  /** Rejects when no UDP port is free. */
  async openRtp(): Promise<MediaSession> {
    const { host, bind, udpPorts } = this.address;
    this.rtp = new MediaSession(host, await openRtpPeer(bind, this.listeners, udpPorts));
    return this.rtp;
  }

  /** Rejects when the offer has no Opus. */
  async openWebRtc(offer: string): Promise<Peer> {
    this.webRtc = await answerOffer(offer, this.listeners, this.address.udpPorts);
    return this.webRtc;
  }
}
