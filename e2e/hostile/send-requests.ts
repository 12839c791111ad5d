import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { emptyOutcome, PATIENCE_MS, RENEW_EVERY, type Outcome, type Target } from './outcome.ts';
import { randomRequest, type HostileRequest } from './random-request.ts';
import { createRandom } from './values.ts';

const summarize = (s: HostileRequest) =>
  `${s.method} ${s.path.slice(0, 200)} ${String(s.payload ?? '').slice(0, 300)}`;

/** Bytes that are not an HTTP request, or half of one. */
const malformedRequests = [
  'NONSENSE\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET  / HTTP/1.1\r\n\r\n',
  'POST /api/message HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n',
  'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n',
  'POST /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n40',
  '\x16\x03\x01\x02\x00\x01',
];

/** Sends this many requests, eight at a time. */
export async function sendHostileRequests(
  target: Target,
  size: number,
  seed = 1,
): Promise<Outcome> {
  const d = createRandom(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const outcome = emptyOutcome();
  let token = await target.token();
  const one = () =>
    d.one(0.02)
      ? sendRawBytes(target.url, d.pick(malformedRequests), outcome)
      : sendRequest(target.url, randomRequest(d, target, token), agent, outcome);
  const runner = async () => {
    while (outcome.sent < size) {
      outcome.sent++;
      if (outcome.sent % RENEW_EVERY === 0) token = await target.token();
      await one();
    }
  };
  await Promise.all(Array.from({ length: 8 }, runner));
  agent.destroy();
  return outcome;
}

function noteAnswer(outcome: Outcome, status: number, what: () => string): void {
  const kind = `${Math.floor(status / 100)}xx`;
  outcome.answered++;
  outcome.statuses[kind] = (outcome.statuses[kind] ?? 0) + 1;
  if (status >= 500) outcome.failures.push(`${status} ${what()}`);
}

async function sendRequest(
  url: string,
  sent: HostileRequest,
  agent: Agent,
  outcome: Outcome,
): Promise<void> {
  const began = performance.now();
  await new Promise<void>((resolve) => {
    let request: ReturnType<typeof httpRequest>;
    try {
      request = httpRequest(
        url,
        {
          method: sent.method,
          path: sent.path,
          headers: sent.headers,
          agent,
          timeout: PATIENCE_MS,
        },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => {
            if (pieces.length < 4) pieces.push(piece);
          });
          answer.on('end', () => {
            noteAnswer(
              outcome,
              answer.statusCode ?? 0,
              () => `${summarize(sent)} → ${Buffer.concat(pieces).toString().slice(0, 400)}`,
            );
            resolve();
          });
          answer.on('error', () => resolve());
        },
      );
    } catch {
      noteAnswer(outcome, 0, () => '');
      resolve();
      return; /* a client cannot send this at all */
    }
    request.on('timeout', () => {
      outcome.hangs.push(summarize(sent));
      request.destroy();
      resolve();
    });
    // Disconnected while sending a body beyond every limit: counts as refused.
    request.on('error', () => resolve());
    request.end(sent.payload ?? undefined);
  });
  outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - began);
}

async function sendRawBytes(url: string, bytes: string, outcome: Outcome): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let got = '';
  socket.on('data', (piece: Buffer) => {
    got += piece.toString('latin1').slice(0, 2000);
  });
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  socket.setTimeout(500, () => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  outcome.answered++;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1] ?? 0);
  if (status >= 500) outcome.failures.push(`${status} ${bytes.slice(0, 100)}`);
}
