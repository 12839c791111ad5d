import { fork } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Pool } from 'undici';
import { createServices, startWorker } from '../server/src/app.ts';
import { publicOutbound } from '../server/src/adapters/outbound/send.ts';
import type { Services } from '../server/src/platform/context.ts';
import { readSettings } from '../server/src/settings.ts';
import { createBench, fmt, median, percentile } from './kit.ts';
import { postSigned, signedText } from './sandbox-texts.ts';

/**
 * Events to a company's own program: inbound texts are stored at a fixed rate, and each is on its way as
 * a signed webhook. Measured is the time from the carrier's acknowledgement, which follows the commit, to
 * the receiver. Then a backlog for a receiver that takes its time, as one on the internet does, compared
 * with a bare loop that signs and posts the same bodies with as many connections: it reads and stores
 * nothing. The worker is a process of its own, as it is in the product.
 */
const RATE = Number(process.env['RATE'] ?? 200);
const SECONDS = Number(process.env['SECONDS'] ?? 15);
const BACKLOG = Number(process.env['BACKLOG'] ?? 2000);
const PARTIES = 800;
/** How long the receiver of the backlog takes for each. Milliseconds. */
const ANSWER_MS = Number(process.env['ANSWER_MS'] ?? 20);
/** So many requests to a destination are under way at a time. */
const CONNECTIONS = 4;
const OUR_NUMBER = '+14155552368';

/** The receiver is on this machine and speaks no TLS. */
function sendTo(services: Services, port: string): void {
  const outbound = publicOutbound({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isPublic: () => true,
    ports: ['', port],
  });
  Object.assign(services.gateways, {
    outbound: {
      name: 'public',
      send: (request: Parameters<typeof outbound.send>[0]) =>
        outbound.send({ ...request, url: request.url.replace('https:', 'http:') }),
    },
  });
}

if (process.send) {
  const services = await createServices(readSettings(process.env), 'bench-worker');
  sendTo(services, process.env['RECEIVER_PORT'] ?? '');
  const worker = await startWorker(services);
  process.on('message', () => void worker.stop().then(() => process.exit(0)));
  process.send('ready');
  await new Promise(() => {});
}

const bench = await createBench();
const { services, companyId } = bench;
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
const number = await owner.query<{ id: number }>(
  'insert into number (company_id, number) values ($1, $2) returning id',
  [companyId, OUR_NUMBER],
);
await owner.query(
  'insert into number_directory (number, company_id, number_id) values ($1, $2, $3)',
  [OUR_NUMBER, companyId, number.rows[0]?.id],
);

/** When each text arrived, by its ID; and its body, for the bare loop. */
const arrived = new Map<string, number>();
const bodies: string[] = [];
let answerMs = 0;
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const id = /text-(\d+)-/.exec(body)?.[1] ?? '';
    if (!arrived.has(id)) bodies.push(body);
    arrived.set(id, performance.now());
    setTimeout(() => response.writeHead(204).end(), answerMs);
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const port = String((receiver.address() as AddressInfo).port);
sendTo(services, port);
/** Starts a worker; its `stop` resolves when it has ended. */
async function startProcess(): Promise<{ stop(): Promise<void> }> {
  const child = fork(import.meta.filename, {
    env: { ...process.env, ...bench.env, RECEIVER_PORT: port },
  });
  await once(child, 'message');
  return {
    stop: async () => {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}
const made = await fetch(`${bench.url}/api/companies/${companyId}/integrations/webhooks`, {
  method: 'POST',
  headers: { authorization: `Bearer ${bench.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    ...{ name: 'Bench', url: `https://receiver.example:${port}/hooks` },
    rules: [{ event: 'message.received' }],
  }),
});
if (made.status !== 201) throw new Error(`the endpoint was refused: ${await made.text()}`);

const carrier = new Pool(bench.url, { connections: 64 });
let n = 0;
/** Stores a text; resolves to its ID and when it was acknowledged. */
async function store(): Promise<{ id: string; at: number }> {
  const id = String(++n);
  const from = `+1201555${String(1000 + (n % PARTIES)).slice(-4)}`;
  const text = `Do you have anything on Friday? text-${id}-`;
  const post = signedText(
    { id: `t${id}`, from, to: OUR_NUMBER, text },
    services.settings.mediaSecret,
  );
  await postSigned(carrier, '/carriers/sandbox/texts', post);
  return { id, at: performance.now() };
}
/** Waits until so many texts arrived, or two minutes. Returns how many did. */
async function untilArrived(count: number): Promise<number> {
  const until = Date.now() + 120_000;
  while (arrived.size < count && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return arrived.size;
}

let worker = await startProcess();
// Everyone has texted before, and what that led to is done.
for (let i = 0; i < PARTIES; i += 50) await Promise.all(Array.from({ length: 50 }, store));
await untilArrived(PARTIES);
for (let isIdle = false; !isIdle;) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { rows } = await owner.query<{ jobs: number }>(
    'select count(*)::int jobs from graphile_worker.jobs where run_at <= now()',
  );
  isIdle = (rows[0]?.jobs ?? 0) < 5;
}

const begun = performance.now();
const stored: Promise<{ id: string; at: number }>[] = [];
while (stored.length < RATE * SECONDS) {
  while (stored.length < ((performance.now() - begun) / 1000) * RATE) stored.push(store());
  await new Promise((resolve) => setTimeout(resolve, 1));
}
const texts = await Promise.all(stored);
await untilArrived(n);
const took = texts.map(({ id, at }) => (arrived.get(id) ?? Infinity) - at);
const share = took.filter((ms) => ms <= 2000).length / took.length;
const untilLast = (Math.max(...arrived.values()) - begun) / 1000;
console.log(
  `webhooks at ${RATE} events/s: p50 ${fmt(median(took))} ms, p95 ${fmt(percentile(took, 95))} ms, p99 ${fmt(percentile(took, 99))} ms, longest ${fmt(Math.max(...took))} ms from commit to receiver, ${fmt(share * 100)} % within 2 s (goal: all); ${fmt(took.filter(Number.isFinite).length / untilLast)} events/s until the last`,
);

await worker.stop();
answerMs = ANSWER_MS;
for (let i = 0; i < BACKLOG; i += 50) await Promise.all(Array.from({ length: 50 }, store));
const before = performance.now();
worker = await startProcess();
const ready = performance.now();
const missing = n - (await untilArrived(n));
const ours = (BACKLOG - missing) / ((performance.now() - ready) / 1000);
await worker.stop();

const key = randomBytes(24);
const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
const sent = bodies.slice(-BACKLOG);
let next = 0;
const bareBegan = performance.now();
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    for (let body = sent[next++]; body !== undefined; body = sent[next++]) {
      const id = `msg_${next}`;
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      const answer = await pool.request({
        method: 'POST',
        path: '/hooks',
        headers: {
          'content-type': 'application/json',
          ...{ 'webhook-id': id, 'webhook-timestamp': timestamp },
          'webhook-signature': `v1,${signature.digest('base64')}`,
        },
        body,
      });
      await answer.body.dump();
    }
  }),
);
const bare = sent.length / ((performance.now() - bareBegan) / 1000);
console.log(
  `a backlog of ${BACKLOG}, answered after ${ANSWER_MS} ms: ours ${fmt(ours)} events/s, bare ${fmt(bare)} events/s, ratio ${(ours / bare).toFixed(2)} (goal 0.5; the worker took ${fmt(ready - before)} ms to start)`,
);
await pool.close();
await carrier.close();
receiver.close();
await owner.end();
await bench.close();
