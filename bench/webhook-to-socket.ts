import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { io } from 'socket.io-client';
import { Pool } from 'undici';
import { createServices, startWorker } from '../server/src/app.ts';
import { readSettings } from '../server/src/settings.ts';
import { createBench, fmt, median, percentile } from './kit.ts';
import { postSigned, signedText } from './sandbox-texts.ts';

/**
 * How long an inbound text takes from the carrier's webhook to an open inbox: the time from when the
 * request is sent to when the event with its words arrives at a socket of the company’s conversations, at a fixed
 * rate. Web, worker, and what is outside (the carrier and the socket, so that one clock measures
 * both) are processes of their own. Everyone has texted before. Goal: p95 ≤ 250 ms.
 */
const RATE = Number(process.env['RATE'] ?? 300);
const SECONDS = Number(process.env['SECONDS'] ?? 15);
const PARTIES = 800;
const GOAL_MS = 250;
const OUR_NUMBER = '+14155552368';

if (process.argv[2] === 'worker') {
  const worker = await startWorker(await createServices(readSettings(process.env), 'bench-worker'));
  process.on('message', () => void worker.stop().then(() => process.exit(0)));
  process.send?.('ready');
} else if (process.argv[2] === 'outside') await outside();
else await measure();

async function measure(): Promise<void> {
  const bench = await createBench();
  const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
  const number = await owner.query<{ id: number }>(
    'insert into number (company_id, number) values ($1, $2) returning id',
    [bench.companyId, OUR_NUMBER],
  );
  await owner.query(
    'insert into number_directory (number, company_id, number_id) values ($1, $2, $3)',
    [OUR_NUMBER, bench.companyId, number.rows[0]?.id],
  );
  const start = (part: string) =>
    fork(import.meta.filename, [part], {
      env: {
        ...process.env,
        ...bench.env,
        BENCH_URL: bench.url,
        BENCH_COMPANY: String(bench.companyId),
        BENCH_TOKEN: bench.token,
        BENCH_SECRET: bench.services.settings.mediaSecret,
      },
    });
  const worker = start('worker');
  await once(worker, 'message');
  const [code] = (await once(start('outside'), 'exit')) as [number];
  worker.send('stop');
  await once(worker, 'exit');
  await owner.end();
  await bench.close();
  process.exitCode = code;
}

async function outside(): Promise<void> {
  const { BENCH_URL: url = '', BENCH_SECRET: secret = '', BENCH_TOKEN: token } = process.env;
  const sent = new Map<string, number>();
  const took = new Map<string, number>();
  const socket = io(url, { transports: ['websocket'], auth: { token } });
  socket.onAny((_event, ...data: unknown[]) => {
    const id = /text-(\d+)-/.exec(JSON.stringify(data))?.[1];
    const at = id ? sent.get(id) : undefined;
    if (id && at !== undefined && !took.has(id)) took.set(id, performance.now() - at);
  });
  const subscribed = new Promise<void>((resolve) => {
    socket.once('subscription_succeeded', () => resolve());
  });
  socket.on('connect', () =>
    socket.emit('subscribe', { channel: `private-conversations.${process.env['BENCH_COMPANY']}` }),
  );
  await subscribed;

  const carrier = new Pool(url, { connections: 64 });
  let n = 0;
  const text = async (): Promise<void> => {
    const id = String(++n);
    sent.set(id, performance.now());
    const from = `+1201555${String(1000 + (n % PARTIES)).slice(-4)}`;
    const words = `Do you have anything on Friday? text-${id}-`;
    const post = signedText({ id: `t${id}`, from, to: OUR_NUMBER, text: words }, secret);
    await postSigned(carrier, '/carriers/sandbox/texts', post);
  };
  const untilAll = async () => {
    const until = Date.now() + 60_000;
    while (took.size < n && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  for (let i = 0; i < PARTIES; i += 20) await Promise.all(Array.from({ length: 20 }, text));
  await untilAll();
  // What new contacts lead to is done by then.
  await new Promise((resolve) => setTimeout(resolve, 10_000));

  const first = n;
  const begun = performance.now();
  const sending: Promise<void>[] = [];
  while (sending.length < RATE * SECONDS) {
    while (sending.length < ((performance.now() - begun) / 1000) * RATE) sending.push(text());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(sending);
  await untilAll();
  const times = [...took].flatMap(([id, ms]) => (Number(id) > first ? [ms] : []));
  const [p50, p95, p99] = [median(times), percentile(times, 95), percentile(times, 99)];
  console.log(
    `webhook to socket at ${RATE} texts/s: p50 ${fmt(p50)}, p95 ${fmt(p95)}, p99 ${fmt(p99)}, longest ${fmt(Math.max(...times))} ms; ${n - took.size} of ${n} did not arrive (goal: p95 ≤ ${GOAL_MS} ms, all)`,
  );
  process.exit(p95 <= GOAL_MS && took.size === n ? 0 : 1);
}
