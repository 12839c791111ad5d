/** SIP over connections: TCP and TLS (RFC 3261 §18.3) and WebSocket (RFC 7118). */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { ParsedMessage } from './message.ts';
import { endOfHead, lengthIn, limits, readMessage } from './read-message.ts';
import type { Flow } from './transaction-types.ts';

/** What receives the messages of all transports. */
export interface TransportUser {
  message(read: ParsedMessage, flow: Flow, bytes: Buffer): void;
  /** The connection of this flow is gone. */
  closed(flow: Flow): void;
}

/** A connection that was silent this long is closed. Milliseconds. */
const idleTimeoutMs = 10 * 60_000;

/** `::ffff:192.0.2.1` → `192.0.2.1`. */
export const ipv4Of = (address: string | undefined): string =>
  (address ?? '').replace(/^::ffff:/, '');

function flowOf(
  socket: Socket,
  transport: Exclude<Flow['transport'], 'UDP'>,
  send: Flow['send'],
): Flow {
  const [address, port] = [ipv4Of(socket.remoteAddress), socket.remotePort ?? 0];
  return { transport, address, port, key: `${transport} ${address} ${port}`, send };
}

/** Reads SIP messages from a TCP or TLS connection. */
export function serveStream(socket: Socket, transport: 'TCP' | 'TLS', user: TransportUser): void {
  const flow = flowOf(socket, transport, (bytes) => void (socket.writable && socket.write(bytes)));
  let buffered: Buffer = Buffer.alloc(0);

  /** Hands on the first message. False when it is incomplete or the connection is being closed. */
  const readNext = (): boolean => {
    buffered = answerKeepAlive(socket, buffered);
    const bodyStart = endOfHead(buffered);
    if (bodyStart <= 4) {
      if (buffered.length > limits.head) socket.destroy();
      return false;
    }
    const length = lengthIn(buffered.subarray(0, bodyStart).toString('latin1'));
    const isWaiting = length !== null && buffered.length < bodyStart + length;
    if (isWaiting && length <= limits.body) return false;
    const end = bodyStart + Math.min(length ?? 0, limits.body);
    const bytes = buffered.subarray(0, end);
    const read = readMessage(bytes, true);
    buffered = buffered.subarray(end);
    socket.setTimeout(idleTimeoutMs);
    user.message(read, flow, bytes);
    if (read.kind !== 'wrong') return true;
    // After a malformed message it is unknown where the next one begins.
    socket.end();
    return false;
  };

  socket.on('data', (chunk: Buffer) => {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    let readable = true;
    while (readable) readable = readNext();
  });
  socket.on('close', () => user.closed(flow));
}

/**
 * Takes a keep-alive off the front: a double CRLF is a ping and gets a CRLF back (RFC 5626 §4.4.1).
 */
function answerKeepAlive(socket: Socket, buffered: Buffer): Buffer {
  const doubleLineBreak = buffered.subarray(0, 4).toString() === '\r\n\r\n';
  if (doubleLineBreak) {
    socket.write('\r\n');
    return buffered.subarray(4);
  }
  const lineBreak = buffered.length > 2 && buffered.subarray(0, 2).toString() === '\r\n';
  return lineBreak && buffered[2] !== 13 ? buffered.subarray(2) : buffered;
}

/** Reads SIP messages from a WebSocket, one message a frame. `raw`: the connection it runs over. */
export function serveWebSocket(
  socket: WebSocket,
  transport: 'WS' | 'WSS',
  raw: Socket,
  user: TransportUser,
): void {
  const flow = flowOf(
    raw,
    transport,
    (bytes) => void (socket.readyState === socket.OPEN && socket.send(bytes.toString('utf8'))),
  );
  socket.on('message', (data: Buffer) => {
    raw.setTimeout(idleTimeoutMs);
    user.message(readMessage(data), flow, data);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => user.closed(flow));
}
