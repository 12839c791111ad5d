import { setSpeakerDevice } from './audio.ts';

interface PeerLink {
  connection: RTCPeerConnection;
  speaker: HTMLAudioElement;
  sender: RTCRtpSender | null;
}

/** Creates a connection that sends this track, and its offer with all candidates. */
export async function createOffer(
  track: MediaStreamTrack,
): Promise<{ connection: RTCPeerConnection; sdp: string }> {
  const connection = new RTCPeerConnection({ iceServers: [] });
  connection.addTransceiver(track, { direction: 'sendrecv' });
  await connection.setLocalDescription(await connection.createOffer());
  await iceGathered(connection);
  return { connection, sdp: connection.localDescription?.sdp ?? '' };
}

/** Waits for all ICE candidates, at most a second, as there are only local ones. */
function iceGathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, 1000);
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return;
      clearTimeout(enough);
      resolve();
    });
  });
}

/** The connected calls: their WebRTC connections and their sound. */
export class PeerLinks {
  readonly #links = new Map<string, PeerLink>();
  #speakerId = '';

  /** `onStream`: remote audio of a call, null when it ends. `onFailed`: its connection was lost. */
  constructor(
    readonly onStream: (leg: string, stream: MediaStream | null) => void,
    readonly onFailed: (leg: string) => void,
  ) {}

  get size(): number {
    return this.#links.size;
  }

  /** Plays the call of an answered offer. */
  async connect(leg: string, connection: RTCPeerConnection, sdp: string): Promise<void> {
    const speaker = new Audio();
    speaker.autoplay = true;
    const sender = connection.getSenders()[0] ?? null;
    this.#links.set(leg, { connection, speaker, sender });
    connection.addEventListener('track', ({ track, streams }) => {
      const stream = streams[0] ?? new MediaStream([track]);
      speaker.srcObject = stream;
      void setSpeakerDevice(speaker, this.#speakerId);
      void speaker.play().catch(() => undefined);
      this.onStream(leg, stream);
    });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') this.onFailed(leg);
    });
    await connection.setRemoteDescription({ type: 'answer', sdp });
  }

  disconnect(leg: string): void {
    const link = this.#links.get(leg);
    if (!link) return;
    this.#links.delete(leg);
    link.connection.close();
    link.speaker.srcObject = null;
    this.onStream(leg, null);
  }

  disconnectAll(): void {
    for (const leg of this.#links.keys()) this.disconnect(leg);
  }

  mute(on: boolean): void {
    for (const link of this.#links.values())
      if (link.sender?.track) link.sender.track.enabled = !on;
  }

  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    for (const link of this.#links.values()) await link.sender?.replaceTrack(track);
  }

  async setSpeaker(deviceId: string): Promise<void> {
    this.#speakerId = deviceId;
    for (const link of this.#links.values()) await setSpeakerDevice(link.speaker, deviceId);
  }
}
