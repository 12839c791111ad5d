import { io, type Socket } from 'socket.io-client';

/** The channels that a company's screens listen to. */
export const channels = ['companies', 'conversations'] as const;

/** Events as pages hear them: over a socket that comes back and asks for what it missed. */
export class Listener {
  readonly heard = new Set<number>();
  /** How often the server couldn't say what was missed. */
  resyncs = 0;
  connections = 0;
  private last = 0;
  private readonly socket: Socket;

  constructor(
    url: string,
    token: string,
    private readonly company: number,
  ) {
    this.socket = io(url, { transports: ['websocket'], auth: { token }, reconnectionDelay: 100 });
    this.socket.on('connect', () => void this.join());
    this.socket.onAny((event: string, _: string, envelope?: { seq?: number }) => {
      if (event === 'resync') this.resyncs += 1;
      if (!envelope?.seq) return;
      this.heard.add(envelope.seq);
      this.last = Math.max(this.last, envelope.seq);
    });
  }

  private async join(): Promise<void> {
    this.connections += 1;
    const from = this.last;
    for (const kind of channels) {
      const channel = `private-${kind}.${this.company}`;
      await this.socket.emitWithAck('subscribe', { channel, auth: { headers: {} } });
      if (from > 0) await this.socket.emitWithAck('resume', { channel, seq: from });
    }
  }

  close(): void {
    this.socket.disconnect();
  }
}
