/**
 * The sockets SIP comes in by, all at one port number: UDP, and TCP, on which the first bytes tell what the client speaks:
 * plain SIP, TLS, or WebSocket. Connections are few an address, silent ones are closed.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import { endOfHead, lengthIn, limits, readMessage } from './read-message.ts';
import type { ParsedMessage } from './message.ts';
import type { Flow } from './transaction-types.ts';

export interface TransportOptions {
  /** The address to listen at. */
  host: string;
  /** 0: any that is free by UDP and TCP. */
  port: number;
  /** PEM texts; without them TLS is not spoken. */
  tls?: { cert: string; key: string } | undefined;
}
export interface TransportUser {
  message(read: ParsedMessage, flow: Flow): void;
  /** A connection is gone. */
  closed(flow: Flow): void;
}
export interface Transports {
  port: number;
  close(): Promise<void>;
}

/** Connections at once: in all, and from one address. */
const maxConnections = { all: 2000, address: 200 } as const;
/** A connection says something whole within this, and again before it was silent this long. Milliseconds. */
const firstMessageMs = 10_000;
const idleTimeoutMs = 10 * 60_000;
/** Ports tried until one is free by both UDP and TCP, where any will do. */
const maxPortTries = 20;

/** Listens. Rejects when the port is taken. */
export async function openTransports(
  options: TransportOptions,
  user: TransportUser,
): Promise<Transports> {
  for (let tries = 1; ; tries++) {
    const tcp = await listen(options.host, options.port);
    const { port } = tcp.address() as { port: number };
    try {
      return serveSockets(options, user, await bind(options.host, port), tcp, port);
    } catch (trouble) {
      await new Promise((resolve) => tcp.close(resolve));
      if (options.port !== 0 || tries >= maxPortTries) throw trouble;
    }
  }
}

function serveSockets(
  options: TransportOptions,
  user: TransportUser,
  udp: UdpSocket,
  tcp: Server,
  port: number,
): Transports {
  const connections = new Map<Socket, string>();
  /** Datagrams on their way out, and whoever waits until there are none. */
  let leaving = 0;
  let closed = false;
  let allLeft: () => void = () => undefined;
  const sent = (): void => {
    leaving--;
    if (leaving === 0) allLeft();
  };
  const flowOf = (address: string, from: number): Flow => ({
    transport: 'UDP',
    address,
    port: from,
    key: `UDP ${address} ${from}`,
    // What cannot be sent is lost, as over UDP anything may be.
    send: (bytes, to = from) => {
      if (closed) return;
      leaving++;
      udp.send(bytes, to, address, sent);
    },
  });
  udp.on('error', () => undefined);
  udp.on('message', (bytes, { address, port: from }) => {
    if (from > 0) user.message(readMessage(bytes), flowOf(address, from));
  });

  function connected(flow: Flow): { close(): void } {
    return { close: () => user.closed(flow) };
  }

  function speakSip(socket: Socket, transport: 'TCP' | 'TLS'): void {
    const [address, from] = [ipv4Of(socket.remoteAddress), socket.remotePort ?? 0];
    const flow: Flow = {
      transport,
      address,
      port: from,
      key: `${transport} ${address} ${from}`,
      send: (bytes) => void (socket.writable && socket.write(bytes)),
    };
    const connection = connected(flow);
    let kept: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      for (;;) {
        if (kept.subarray(0, 4).toString() === '\r\n\r\n') {
          // A client asks whether we are there (RFC 5626).
          socket.write('\r\n');
          kept = kept.subarray(4);
        } else if (kept.length > 2 && kept.subarray(0, 2).toString() === '\r\n' && kept[2] !== 13)
          kept = kept.subarray(2);
        const end = endOfHead(kept);
        if (end <= 4) {
          if (kept.length > limits.head) socket.destroy();
          return;
        }
        const length = lengthIn(kept.subarray(0, end).toString('latin1'));
        if (length !== null && length <= limits.body && kept.length < end + length) return;
        const whole = end + Math.min(length ?? 0, limits.body);
        const read = readMessage(kept.subarray(0, whole), true);
        kept = kept.subarray(whole);
        socket.setTimeout(idleTimeoutMs);
        user.message(read, flow);
        // After what cannot be read nobody knows where the next message begins.
        if (read.kind === 'wrong') return void socket.end();
      }
    });
    socket.on('close', () => connection.close());
  }

  function speakWebSocket(socket: WebSocket, transport: 'WS' | 'WSS', raw: Socket): void {
    const [address, from] = [ipv4Of(raw.remoteAddress), raw.remotePort ?? 0];
    const flow: Flow = {
      transport,
      address,
      port: from,
      key: `${transport} ${address} ${from}`,
      send: (bytes) =>
        void (socket.readyState === socket.OPEN && socket.send(bytes.toString('utf8'))),
    };
    const connection = connected(flow);
    socket.on('message', (data: Buffer) => {
      raw.setTimeout(idleTimeoutMs);
      user.message(readMessage(data), flow);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => connection.close());
  }

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.head + limits.body,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false),
  });
  const http = createHttpServer(
    (_request, response) => void response.writeHead(426, { connection: 'close' }).end(),
  );
  http.on('upgrade', (request, raw: Socket, head) =>
    sockets.handleUpgrade(request, raw, head, (socket) =>
      speakWebSocket(socket, 'encrypted' in raw ? 'WSS' : 'WS', raw),
    ),
  );
  http.on('clientError', (_trouble, raw) => raw.destroy());
  const tls = options.tls
    ? createTlsServer({ ...options.tls, minVersion: 'TLSv1.2' }, (socket) => choose(socket))
    : null;
  tls?.on('tlsClientError', (_trouble, socket) => socket.destroy());

  /** Look at the first bytes without taking them. */
  function choose(socket: Socket): void {
    const encrypted = 'encrypted' in socket;
    socket.on('error', () => socket.destroy());
    socket.setTimeout(firstMessageMs, () => socket.destroy());
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      if (first[0] === 0x16 && !encrypted)
        return void (tls ? tls.emit('connection', socket) : socket.destroy());
      if (first.subarray(0, 4).toString() === 'GET ') return void http.emit('connection', socket);
      speakSip(socket, encrypted ? 'TLS' : 'TCP');
    });
  }

  tcp.on('connection', (socket) => {
    const address = ipv4Of(socket.remoteAddress);
    const ofAddress = [...connections.values()].filter((one) => one === address).length;
    if (connections.size >= maxConnections.all || ofAddress >= maxConnections.address)
      return void socket.destroy();
    connections.set(socket, address);
    socket.on('close', () => connections.delete(socket));
    choose(socket);
  });
  tcp.on('error', () => undefined);

  return {
    port,
    async close() {
      // What was said last leaves first.
      if (leaving > 0) await new Promise<void>((resolve) => (allLeft = resolve));
      closed = true;
      for (const socket of connections.keys()) socket.destroySoon();
      sockets.close();
      tls?.close();
      http.close();
      const gone = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy();
      }, 200);
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => udp.close(() => resolve())),
      ]);
      clearTimeout(gone);
    },
  };
}

const ipv4Of = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }).once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server.off('error', reject)));
  });
}
function bind(address: string, port: number): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').once('error', (trouble) => {
      socket.close();
      reject(trouble);
    });
    socket.bind({ address, port, exclusive: true }, () =>
      resolve(socket.removeAllListeners('error')),
    );
  });
}
