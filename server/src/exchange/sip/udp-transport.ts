import type { Socket } from 'node:dgram';
import type { ParsedMessage } from './message.ts';
import { readMessage } from './read-message.ts';
import type { Flow } from './transaction-types.ts';

/** SIP over UDP, on a socket that is already bound. */
export class UdpTransport {
  /** Datagrams handed to the socket that it has not sent yet. */
  #pending = 0;
  #closed = false;
  #onDrained: () => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    onMessage: (read: ParsedMessage, flow: Flow, bytes: Buffer) => void,
  ) {
    socket.on('error', () => undefined);
    socket.on('message', (bytes, { address, port }) => {
      if (port > 0) onMessage(readMessage(bytes), this.#flowTo(address, port), bytes);
    });
  }

  #flowTo(address: string, port: number): Flow {
    return {
      transport: 'UDP',
      address,
      port,
      key: `UDP ${address} ${port}`,
      // A datagram that cannot be sent is lost, as any datagram may be.
      send: (bytes, toPort = port) => {
        if (this.#closed) return;
        this.#pending++;
        this.socket.send(bytes, toPort, address, () => this.#sent());
      },
    };
  }

  #sent(): void {
    this.#pending--;
    if (this.#pending === 0) this.#onDrained();
  }

  /** Waits until everything has been sent; nothing is sent afterwards. */
  async drain(): Promise<void> {
    if (this.#pending > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
    this.#closed = true;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }
}
