/**
 * The sockets SIP comes in by, all at one port number: UDP, and TCP, where the first bytes tell
 * whether the client speaks plain SIP, TLS or WebSocket.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { WebSocketServer } from 'ws';
import { ipv4Of, serveStream, serveWebSocket, type TransportUser } from './connections.ts';
import { limits } from './read-message.ts';
import type { Flow } from './transaction-types.ts';
import { UdpTransport } from './udp-transport.ts';

interface TransportOptions {
  /** The address to listen at. */
  host: string;
  /** 0: any port that is free for both UDP and TCP. */
  port: number;
  /** PEM texts. Left out: TLS is not supported. */
  tls?: { cert: string; key: string } | undefined;
}
export interface Transports {
  port: number;
  close(): Promise<void>;
}

/** The URI parameter that names the transport in our Contact. */
export const transportParameters: Readonly<Record<Flow['transport'], string>> = {
  UDP: '',
  TCP: ';transport=tcp',
  TLS: ';transport=tls',
  WS: ';transport=ws',
  WSS: ';transport=ws',
};

/** Connections at once: in all, and from one address. */
const maxConnections = { all: 2000, address: 200 } as const;
/** A new connection is closed when its first message takes longer. Milliseconds. */
const firstMessageMs = 10_000;
/** How long closing connections may take before they are destroyed. Milliseconds. */
const closeTimeoutMs = 200;
/** Attempts to find a port that is free for both UDP and TCP, with port 0. */
const maxPortTries = 20;

/**
 * Starts listening on UDP and TCP. Fails when the port is in use; for port 0 it tries other ports.
 */
export async function openTransports(
  options: TransportOptions,
  user: TransportUser,
): Promise<Transports> {
  for (let tries = 1; ; tries++) {
    const tcp = await listen(options.host, options.port);
    const { port } = tcp.address() as { port: number };
    try {
      return serveSockets(options, user, await bind(options.host, port), tcp, port);
    } catch (error) {
      await new Promise((resolve) => tcp.close(resolve));
      if (options.port !== 0 || tries >= maxPortTries) throw error;
    }
  }
}

function serveSockets(
  options: TransportOptions,
  user: TransportUser,
  udpSocket: UdpSocket,
  tcp: Server,
  port: number,
): Transports {
  /** Open TCP connections and their addresses. */
  const connections = new Map<Socket, string>();
  const udp = new UdpTransport(udpSocket, (read, flow, bytes) => user.message(read, flow, bytes));
  const { serveConnection, close: closeProtocols } = openProtocols(options.tls, user);

  tcp.on('connection', (socket) => {
    const address = ipv4Of(socket.remoteAddress);
    const ofAddress = [...connections.values()].filter((one) => one === address).length;
    if (connections.size >= maxConnections.all || ofAddress >= maxConnections.address)
      return void socket.destroy();
    connections.set(socket, address);
    socket.on('close', () => connections.delete(socket));
    serveConnection(socket);
  });
  tcp.on('error', () => undefined);

  return {
    port,
    async close() {
      await udp.drain();
      for (const socket of connections.keys()) socket.destroySoon();
      closeProtocols();
      const timeout = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy();
      }, closeTimeoutMs);
      await Promise.all([new Promise((resolve) => tcp.close(resolve)), udp.close()]);
      clearTimeout(timeout);
    },
  };
}

/**
 * The protocols a TCP connection may speak; they share its socket, and none of them listens on a
 * port.
 */
function openProtocols(tlsOptions: TransportOptions['tls'], user: TransportUser) {
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.head + limits.body,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false),
  });
  const http = createHttpServer(
    (_request, response) => void response.writeHead(426, { connection: 'close' }).end(),
  );
  http.on('upgrade', (request, raw: Socket, head) =>
    webSockets.handleUpgrade(request, raw, head, (socket) =>
      serveWebSocket(socket, 'encrypted' in raw ? 'WSS' : 'WS', raw, user),
    ),
  );
  http.on('clientError', (_error, raw) => raw.destroy());
  const tls = tlsOptions
    ? createTlsServer({ ...tlsOptions, minVersion: 'TLSv1.2' }, (socket) => serveConnection(socket))
    : null;
  tls?.on('tlsClientError', (_error, socket) => socket.destroy());

  /** Picks the protocol by the first bytes, without consuming them. */
  function serveConnection(socket: Socket): void {
    const encrypted = 'encrypted' in socket;
    socket.on('error', () => socket.destroy());
    socket.setTimeout(firstMessageMs, () => socket.destroy());
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (!first) return;
      socket.unshift(first);
      const isTlsHandshake = first[0] === 0x16 && !encrypted;
      if (isTlsHandshake) return void (tls ? tls.emit('connection', socket) : socket.destroy());
      if (first.subarray(0, 4).toString() === 'GET ') return void http.emit('connection', socket);
      serveStream(socket, encrypted ? 'TLS' : 'TCP', user);
    });
  }

  return {
    serveConnection,
    close: () => {
      webSockets.close();
      tls?.close();
      http.close();
    },
  };
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }).once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server.off('error', reject)));
  });
}

function bind(address: string, port: number): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ address, port, exclusive: true }, () =>
      resolve(socket.removeAllListeners('error')),
    );
  });
}
