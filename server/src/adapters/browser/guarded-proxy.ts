import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  publicConnector,
  type PublicInternet,
} from '../../platform/http-client/public-connector.ts';

/** Of one visit. A page of a business needs about a hundred connections and 5 MB. */
const MOST_CONNECTIONS = 400;
const MOST_BYTES = 60 * 1024 * 1024;
const CONNECT_MS = 5_000;

/** What the connections of one visit have in common. */
class Traffic {
  private readonly sockets = new Set<Duplex>();
  private readonly connect: ReturnType<typeof publicConnector>;
  private connections = 0;
  private bytes = 0;

  constructor(
    private readonly internet: PublicInternet,
    private readonly ownHost: string,
  ) {
    this.connect = publicConnector(internet, CONNECT_MS);
  }

  /** Null: not to be reached. `port`: as in `URL.port`. */
  dial(hostname: string, port: string): Promise<Socket | null> {
    this.connections += 1;
    const isOwn = hostname.toLowerCase() === this.ownHost.toLowerCase();
    const isFull = this.connections > MOST_CONNECTIONS || this.bytes > MOST_BYTES;
    if (isOwn || isFull || !this.internet.ports.includes(port)) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.connect(
        { hostname, host: hostname, protocol: 'http:', port: port || '80' },
        (...[error, socket]) => resolve(error || !socket ? null : this.keep(socket as Socket)),
      );
    });
  }

  keep<S extends Duplex>(socket: S): S {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }

  /** Ends everything once the page got more than a page needs. */
  count(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > MOST_BYTES) this.end();
  }

  end(): void {
    for (const one of this.sockets) one.destroy();
  }
}

/**
 * An HTTP proxy on this machine through which all traffic of the browser goes: it reaches public
 * addresses on the web's ports only, whoever asks, and resolves names itself. What it refuses gets no
 * answer.
 * @param ownHost is refused too
 * @returns its port, and how to end it
 */
export async function startGuardedProxy(
  internet: PublicInternet,
  ownHost: string,
): Promise<{ port: number; close(): void }> {
  const traffic = new Traffic(internet, ownHost);
  const server = createServer((request, response) => void forward(traffic, request, response));
  server.on('connection', (socket) => void traffic.keep(socket));
  server.on(
    'connect',
    (request: IncomingMessage, client: Duplex, head: Buffer) =>
      void tunnel(traffic, request, client, head),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      traffic.end();
    },
  };
}

/** A request without encryption. */
async function forward(
  traffic: Traffic,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
  const socket = url?.protocol === 'http:' ? await traffic.dial(url.hostname, url.port) : null;
  if (!url || !socket) return void request.socket.destroy();
  const forwarded = httpRequest(
    {
      method: request.method,
      path: url.pathname + url.search,
      headers: headersOf(request, url.host),
      createConnection: () => socket,
    },
    (answer) => {
      answer.on('data', (part: Buffer) => traffic.count(part));
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    },
  );
  forwarded.on('error', () => request.socket.destroy());
  request.pipe(forwarded);
}

/** A connection whose content only the browser and the website know. */
async function tunnel(
  traffic: Traffic,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(request.url ?? '') ?? [];
  const socket = await traffic.dial(host.replace(/^\[|\]$/g, ''), port);
  if (!socket || client.destroyed) {
    socket?.destroy();
    client.destroy();
    return;
  }
  client.write('HTTP/1.1 200 OK\r\n\r\n');
  socket.write(head);
  socket.on('data', (part: Buffer) => traffic.count(part));
  socket.pipe(client).pipe(socket);
}

/** As the page sent them, for one request on a connection of its own. */
function headersOf({ headers }: IncomingMessage, host: string): Record<string, string | string[]> {
  const { 'proxy-connection': _, 'proxy-authorization': __, ...kept } = headers;
  return { ...(kept as Record<string, string | string[]>), host, connection: 'close' };
}
