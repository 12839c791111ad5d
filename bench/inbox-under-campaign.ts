import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { Pool } from 'undici';
import { createServices, startWorker } from '../server/src/app.ts';
import { readSettings } from '../server/src/settings.ts';
import { addCampaign, allowCampaigns } from './fill-campaign.ts';
import { fillInbox } from './fill-inbox.ts';
import { fmt, median, createBench, percentile } from './kit.ts';
import { watchCpu } from './processor-time.ts';

/**
 * Response times of the inbox and its search while the same company sends a campaign to 50,000
 * recipients, through the real worker (its own process) and the sandbox with receipts, on 200,000
 * conversations and 1,000,000 messages. Measured at rest, with one campaign at the highest rate of
 * a registered number (75 per second), and with three (225 per second, the most a brand may send);
 * then everything once more, because machines vary. Requests come from a process of their own, as
 * browsers do.
 * BENCH_UNTHROTTLED=1: as fast as this machine can. BENCH_KEEP=folder keeps the filled database for
 * the next run. BENCH_ACCOUNT=1 prints the cost of each text by process; BENCH_ACCOUNT=only prints
 * nothing else and sends no requests.
 */
const conversations = Number(process.env['BENCH_CONVERSATIONS'] ?? 200_000);
const recipients = Number(process.env['BENCH_RECIPIENTS'] ?? 50_000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 25);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);
const account = Boolean(process.env['BENCH_ACCOUNT']);
type Took = Record<'list' | 'search', number[]>;
if (process.env['BENCH_PART']) process.on('disconnect', () => process.exit()); // Runs however the measurement ends.
if (process.env['BENCH_PART'] === 'worker') await work();
else if (process.env['BENCH_PART'] === 'people') await people();
else await measure();

/** The worker's process. */
async function work() {
  const worker = await startWorker(
    await createServices(readSettings(), 'worker'),
    process.env['BENCH_UNTHROTTLED'] ? { unthrottled: true } : {},
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', (said: string) => {
    if (said === 'delay') {
      process.send?.({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 });
      delay.reset();
    } else void worker.stop().then(() => process.exit(0));
  });
  process.send?.('ready');
}

/**
 * Three users at once, each pausing between requests, alternating between the list and a search.
 */
async function people() {
  // Browsers run on other machines: where allowed, the requesting process never waits for a CPU.
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    /* not as root */
  }
  const { url, companyId, token } = JSON.parse(process.env['BENCH_ASK']!) as {
    url: string;
    companyId: number;
    token: string;
  };
  const headers = { authorization: `Bearer ${token}` };
  const base = `/api/companies/${companyId}/conversations?perPage=25`;
  const words = [
    'zanzibar',
    'whitening friday',
    'ada',
    '2012000',
    'is:unread parking',
    'label:"label 7"',
    'assigned:me',
    'invoice crown',
  ];
  const pool = new Pool(url, { connections: 4 });
  let turn = 0;
  process.on('message', (said: number | 'stop') => {
    if (said === 'stop') {
      process.disconnect();
      void pool.close();
      return;
    }
    void (async () => {
      const took: Took = { list: [], search: [] };
      const until = performance.now() + said;
      await Promise.all(
        [0, 1, 2].map(async (who) => {
          for (let i = who; performance.now() < until; i++) {
            const kind = i % 2 ? 'search' : 'list';
            const path =
              kind === 'list'
                ? base
                : `${base}&search=${encodeURIComponent(words[turn++ % words.length]!)}`;
            const from = performance.now();
            const answer = await pool.request({ method: 'GET', path, headers });
            await answer.body.dump();
            if (answer.statusCode !== 200) throw new Error(`${kind} answered ${answer.statusCode}`);
            took[kind].push(performance.now() - from);
            await new Promise((resolve) => setTimeout(resolve, 40 + Math.random() * 40));
          }
        }),
      );
      process.send?.(took);
    })();
  });
  process.send?.('ready');
}

async function measure() {
  let at = performance.now();
  const bench = await createBench(
    {},
    {
      name: 'inbox',
      source: readFileSync(new URL('fill-inbox.ts', import.meta.url), 'utf8') + conversations,
      fill: async (owner, companyId, personId) => {
        await fillInbox(owner, companyId, personId, conversations, conversations * 5);
      },
    },
    { counted: account },
  );
  const { port } = new URL(bench.url);
  const owner = new pg.Pool({
    connectionString: bench.database,
    max: 4,
    application_name: 'bench',
  });
  console.log(
    `${fmt(conversations)} conversations and ${fmt(conversations * 5)} messages stood there after ${fmt((performance.now() - at) / 1000)} s`,
  );
  await allowCampaigns(owner, bench.companyId);
  const each = Math.min(recipients, conversations / 4);
  for (const id of [1, 2, 3])
    await addCampaign(owner, bench.companyId, id, { offset: (id - 1) * each, recipients });
  await owner.query('vacuum analyze campaign_recipient');
  await owner.query('checkpoint');

  const begin = (part: string, env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, [...process.execArgv, import.meta.filename], {
      env: { ...process.env, ...bench.env, PORT: port, BENCH_PART: part, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    }); // Each is a session leader, as with `npm start`.
  const asker = begin('people', {
    BENCH_ASK: JSON.stringify({ url: bench.url, companyId: bench.companyId, token: bench.token }),
  });
  await once(asker, 'message');
  let asked: (took: Took) => void = () => {};
  asker.on('message', (took: Took) => asked(took));
  asker.once('exit', (code) => {
    if (code) {
      console.error('those who ask ended');
      process.exit(1);
    }
  });
  const asking = (ms: number): Promise<Took> =>
    new Promise((resolve) => {
      asked = resolve;
      asker.send(ms);
    });
  let worker = begin('worker', { BENCH_UNTHROTTLED: '' });
  await once(worker, 'message');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();

  const sent = async () =>
    (
      await owner.query<{ n: number; delivered: number }>(
        'select sum(sent_count)::int n, sum(delivered_count)::int delivered from campaign',
      )
    ).rows[0]!;
  /** Sends campaigns, or none, and measures requests meanwhile. */
  const phase = async (name: string, going: number): Promise<Took> => {
    await owner.query('update campaign set wake_at = now() where id <= $1', [going]);
    const nobody = process.env['BENCH_ACCOUNT'] === 'only';
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    if (nobody) await pause(3000);
    else await asking(3000);
    const before = await sent();
    const watched = account
      ? await startAccount(owner, bench.server.notifier, {
          web: process.pid,
          worker: worker.pid!,
          people: asker.pid!,
        })
      : null;
    delay.reset();
    worker.send('delay');
    await once(worker, 'message');
    at = performance.now();
    const took: Took = nobody ? { list: [], search: [] } : await asking(seconds * 1000);
    if (nobody) await pause(seconds * 1000);
    const ms = performance.now() - at;
    const now = await sent();
    const texts = now.n - before.n;
    worker.send('delay');
    const [far] = (await once(worker, 'message')) as [{ p99: number; max: number }];
    console.log(
      `  ${name}: ${fmt(texts / (ms / 1000))} texts/s, ${fmt((now.delivered - before.delivered) / (ms / 1000))} delivered; event loops held for p99, longest: web ${fmt(delay.percentile(99) / 1e6)}, ${fmt(delay.max / 1e6)} ms, worker ${fmt(far.p99)}, ${fmt(far.max)} ms${took.list.length ? `; list p99 ${fmt(percentile(took.list, 99))} ms` : ''}`,
    );
    if (watched) await watched(texts, ms / 1000);
    await owner.query('update campaign set wake_at = null');
    if (going) await pause(4000);
    return took;
  };
  const all = new Map<string, Took>();
  const keep = (name: string, took: Took) => {
    const had = all.get(name) ?? { list: [], search: [] };
    had.list.push(...took.list);
    had.search.push(...took.search);
    all.set(name, had);
  };
  if (process.env['BENCH_ACCOUNT'] !== 'only') await asking(8000);
  for (let round = 0; round < rounds; round++)
    for (const [name, going] of [
      ['idle', 0],
      ['one campaign at 75 a second', 1],
      ['three campaigns at 225 a second', 3],
    ] as const)
      keep(name, await phase(name, going));
  if (process.env['BENCH_UNTHROTTLED']) {
    worker.send('stop');
    await once(worker, 'exit');
    worker = begin('worker', {});
    await once(worker, 'message');
    keep('a campaign without any rate', await phase('a campaign without any rate', 1));
  }
  const idle = all.get('idle')!;
  if (idle.list.length)
    for (const [name, took] of all)
      console.log(
        `${name}: ${(['list', 'search'] as const)
          .map((kind) => {
            const [now, then] = [took[kind], idle[kind]];
            return `${kind} p50 ${fmt(median(now))} p99 ${fmt(percentile(now, 99))} ms (${now.length} asked)${now === then ? '' : `, against idle p50 ${(median(now) / median(then)).toFixed(2)} p99 ${(percentile(now, 99) / percentile(then, 99)).toFixed(2)}`}`;
          })
          .join('; ')}`,
      );
  worker.send('stop');
  asker.send('stop');
  await Promise.all([once(worker, 'exit'), once(asker, 'exit')]);
  await owner.end();
  await bench.close();
}

/**
 * The cost of one text: CPU time by process, statements, transactions, WAL. Printed once the number
 * of texts is known.
 */
async function startAccount(owner: pg.Pool, _said: unknown, named: Record<string, number>) {
  const facts = async () =>
    (
      await owner.query<{
        commits: number;
        calls: number;
        wal: number;
        events: number;
      }>(`select (select xact_commit::int
          from pg_stat_database where datname = current_database()) commits, (select sum(calls)::int
          from pg_stat_statements s join pg_roles r on r.oid = s.userid where toplevel) calls,
    (pg_current_wal_lsn() - '0/0')::float8 wal, (select last_seq::int from outbox_cursor) events`)
    ).rows[0]!;
  await owner.query('select pg_stat_statements_reset()');
  const before = await facts();
  const spending = await watchCpu(owner, named);
  return async (texts: number, forSeconds: number) => {
    const by = await spending.stop();
    const after = await facts();
    const per = (n: number) =>
      texts ? `${fmt(n / texts)} a text` : `${fmt(n / forSeconds)} a second`;
    console.log(
      `    processor ms ${texts ? 'a text' : 'a second'}: ${[...by]
        .filter(([, s]) => s >= 0.02)
        .sort((a, b) => b[1] - a[1])
        .map(([name, s]) => `${name} ${fmt((s * 1000) / (texts || forSeconds))}`)
        .join(
          ', ',
        )}; all ${fmt(([...by.values()].reduce((a, b) => a + b, 0) * 1000) / (texts || forSeconds))}`,
    );
    console.log(
      `    statements ${per(after.calls - before.calls)}, transactions ${per(after.commits - before.commits)}, log ${per((after.wal - before.wal) / 1024)} kB, events ${per(after.events - before.events)}`,
    );
    const { rows } = await owner.query<{
      calls: number;
      ms: number;
      rows: number;
      query: string;
      role: string;
    }>(
      `select calls::int, total_exec_time ms, rows::int,
        left(regexp_replace(query, '\\s+', ' ', 'g'), 150) query, r.rolname role
        from pg_stat_statements s
        join pg_roles r on r.oid = s.userid where toplevel order by calls desc limit 60`,
    );
    if (texts && process.env['BENCH_STATEMENTS'])
      for (const r of rows.filter((x) => x.calls > texts / 100))
        console.log(
          `      ${fmt(r.calls / texts).padStart(6)} × ${fmt(r.ms / r.calls).padStart(6)} ms (${fmt(r.rows / r.calls)} rows) ${r.role.replace('trunkline_', '')} ${r.query}`,
        );
  };
}
