import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { Pool } from 'undici';
import { recipientReceipts, startDispatcher } from '../server/src/modules/campaigns/index.ts';
import { receiveReceipts } from '../server/src/modules/messaging/index.ts';
import type { Services } from '../server/src/platform/context.ts';
import { openLeases } from '../server/src/platform/lease.ts';
import type { MessagingCarrier, OutgoingText } from '../server/src/gateways/messaging.ts';
import { compare, fmt, median, createBench } from './kit.ts';
import { watchCpu } from './processor-time.ts';

/**
 * Campaign throughput in recipients per second: recipients are claimed, submitted to a carrier over
 * HTTP, and their results stored; then every delivery receipt is applied. Compared with a bare
 * undici POST of the same bodies and with a bare claim-and-mark loop without a carrier.
 * The carrier is a bare HTTP server in its own thread that responds with an ID. BENCH_ACCOUNT=1
 * prints the cost of one text instead.
 */
const fakeCarrier = `const http = require('node:http'); const { parentPort } = require('node:worker_threads');
const server = http.createServer((request, reply) => { request.resume(); request.on('end', () => { reply.setHeader('content-type', 'application/json'); reply.end('{"id":"p-1"}'); }); });
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
await main();

async function main() {
  const people = Number(process.env['BENCH_RECIPIENTS'] ?? 60_000);
  const thread = new Worker(fakeCarrier, { eval: true, execArgv: [] });
  const [port] = (await once(thread, 'message')) as [number];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, pipelining: 1 });
  const post = async (body: string) => {
    const answer = await pool.request({
      method: 'POST',
      path: '/texts',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return (await answer.body.json()) as { id: string };
  };
  const bodyOf = (t: OutgoingText) =>
    JSON.stringify({ from: t.from, to: t.to, text: t.text, key: t.key });
  let taken = 0;
  const carrier: MessagingCarrier = {
    name: 'sandbox',
    isIdempotent: true,
    findByKey: () => Promise.resolve(null),
    fetchMedia: () => Promise.resolve(null),
    send: async (t) => {
      await post(bodyOf(t));
      return { state: 'accepted', providerId: `b-${++taken}` };
    },
  };

  const account = process.env['BENCH_ACCOUNT'];
  const bench = await createBench({}, null, { counted: Boolean(account) });
  const owner = new pg.Pool({ connectionString: bench.database, max: 8 });
  const services: Services = {
    ...bench.services,
    gateways: {
      ...bench.services.gateways,
      messaging: carrier,
      carriers: {
        ...bench.services.gateways.carriers,
        messaging: () => carrier,
      } as Services['gateways']['carriers'],
    },
  };
  const {
    rows: [number],
  } = await owner.query<{ id: number }>(
    `insert into number (company_id, number, provider_ref, status) values ($1, '+14155552368', 'sb-1', 'active') returning id`,
    [bench.companyId],
  );
  await owner.query(
    `insert into contact (company_id, id, number, name)
      select $1, n, '+1' || (2122000000 + n), 'Person ' || n from generate_series(1, $2::int) n`,
    [bench.companyId, people],
  );
  await owner.query(
    `create table bare_line (id bigint primary key, to_number text, state text not null default 'pending', provider text)`,
  );
  await owner.query(`create index bare_waiting on bare_line (id) where state = 'pending'`);
  await owner.query('vacuum analyze contact');

  const leases = await openLeases(bench.database, services.log);

  let n = 100;
  /** Recipients are inserted directly: only what happens afterwards is measured. */
  const aCampaign = async () => {
    const id = ++n;
    await owner.query('truncate campaign_recipient; delete from campaign'); // Each run starts without earlier recipients.
    await owner.query(
      `insert into campaign (company_id, id, title, text, unsubscribe_text, state, number_id, zones,
          started_at, quiet_hours, created_at, updated_at)
        values ($1, $2, 'Bench', 'Hi {{first_name|there}}, whitening is 20% off until Friday.',
          'Reply STOP to stop.', 'sending', $3, '{UTC}', now(),
          '{"start":"00:00","end":"00:00","mode":"company"}', now(), now())`,
      [bench.companyId, id, number!.id],
    );
    await owner.query(
      `insert into campaign_recipient (company_id, campaign_id, contact_id, to_number, zone)
        select company_id, $2, id, number, 'UTC' from contact where company_id = $1`,
      [bench.companyId, id],
    );
    await owner.query('vacuum analyze campaign_recipient');
    return id;
  };
  const dispatch = async () => {
    const id = await aCampaign();
    const before = taken;
    const from = performance.now();
    await owner.query('update campaign set wake_at = now() where id = $1', [id]);
    const running = startDispatcher(services, { markDirty: () => {}, notify: () => {} }, leases, {
      unthrottled: true,
      recover: false,
    });
    for (;;) {
      const {
        rows: [row],
      } = await owner.query<{ state: string; sent: number }>(
        'select state, sent_count sent from campaign where id = $1',
        [id],
      );
      if (row!.state === 'sent') break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const perSecond = people / ((performance.now() - from) / 1000);
    await running.stop();
    const {
      rows: [sum],
    } = await owner.query<{ handed: number; keys: number }>(
      `select count(*) filter (where state = 'handed')::int handed,
        count(distinct provider_message_id)::int keys
        from campaign_recipient where campaign_id = $1`,
      [id],
    );
    if (sum!.handed !== people || sum!.keys !== people || taken - before !== people)
      throw new Error(`not exact: ${JSON.stringify(sum)}, carrier took ${taken - before}`);
    return perSecond;
  };
  const barePost = async () => {
    const bodies = Array.from({ length: people }, (_, i) =>
      bodyOf({
        from: '+14155552368',
        to: `+1${2_122_000_000 + i}`,
        text: `Hi Person, whitening is 20 % off until Friday.\nReply STOP to stop.`,
        media: [],
        key: `c.1.${i}.0123456789abcdef01234567`,
      }),
    );
    const from = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: 96 }, async () => {
        while (next < bodies.length) await post(bodies[next++]!);
      }),
    );
    return people / ((performance.now() - from) / 1000);
  };
  const bareLoop = async () => {
    await owner.query('truncate bare_line');
    await owner.query(
      `insert into bare_line (id, to_number) select n, '+1' || (2122000000 + n) from generate_series(1, $1::int) n`,
      [people],
    );
    await owner.query('vacuum analyze bare_line');
    const from = performance.now();
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (;;) {
          const { rows } = await owner.query<{ id: number }>(
            `update bare_line set state = 'claimed' where id in (select id from bare_line
                where state = 'pending' order by id limit 250 for update skip locked) returning id`,
          );
          if (!rows.length) return;
          await owner.query(
            `update bare_line b set state = 'handed', provider = 'p' from unnest($1::bigint[]) g(id) where b.id = g.id`,
            [rows.map((r) => r.id)],
          );
        }
      }),
    );
    return people / ((performance.now() - from) / 1000);
  };
  /**
   * Applies every receipt the way the carrier's webhooks deliver them: 2,000 requests at a time,
   * each waiting for its response.
   */
  const receipts = async () => {
    const { rows } = await owner.query<{ key: string; providerId: string }>(
      `select 'c.' || company_id || '.' || id || '.' || left(encode(sha256(convert_to(campaign_id
                || ':' || to_number || ':1:' || round, 'UTF8')), 'hex'), 24) key,
        provider_message_id "providerId" from campaign_recipient order by id`,
    );
    const from = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: 2000 }, async () => {
        while (next < rows.length) {
          const r = rows[next++]!;
          await receiveReceipts(
            services,
            { markDirty: () => {}, notify: () => {} },
            [recipientReceipts],
            'sandbox',
            [{ id: r.key, ...r, state: 'delivered', code: null, reason: null, at: Date.now() }],
          );
        }
      }),
    );
    const perSecond = people / ((performance.now() - from) / 1000);
    const {
      rows: [sum],
    } = await owner.query<{ n: number }>(
      `select count(*)::int n from campaign_recipient where state = 'delivered'`,
    );
    if (sum!.n !== people) throw new Error(`${sum!.n} of ${people} receipts were written`);
    return perSecond;
  };
  /**
   * The lower bound for receipts: an UPDATE of 500 rows at a time by ID, in a table with nothing
   * else.
   */
  const bareReceipts = async () => {
    await owner.query('truncate bare_line');
    await owner.query(
      `insert into bare_line (id, to_number) select n, '+1' || (2122000000 + n) from generate_series(1, $1::int) n`,
      [people],
    );
    await owner.query('vacuum analyze bare_line');
    const from = performance.now();
    for (let i = 1; i <= people; i += 500)
      await owner.query(
        `update bare_line b set state = 'delivered' from unnest($1::bigint[]) g(id) where b.id = g.id`,
        [Array.from({ length: 500 }, (_, n) => i + n)],
      );
    return people / ((performance.now() - from) / 1000);
  };
  /**
   * Cost per text, which a busy machine changes little: CPU time of this process (with the
   * carrier's thread) and of the database, WAL bytes, and HOT updates.
   */
  const accountFor = async () => {
    await dispatch();
    await barePost(); // Warm-up.
    const spent = async (work: () => Promise<number>) => {
      const cpu = process.cpuUsage();
      const rate = await work();
      const { user, system } = process.cpuUsage(cpu);
      return { rate, us: (user + system) / people };
    };
    const facts = async () =>
      (
        await owner.query<{ wal: number; all: number; hot: number }>(
          `select (pg_current_wal_lsn() - '0/0')::float8 wal, n_tup_upd::float8 "all",
            n_tup_hot_upd::float8 hot
            from pg_stat_user_tables where relname = 'campaign_recipient'`,
        )
      ).rows[0]!;
    const watched = async (name: string, work: () => Promise<number>) => {
      await owner.query('select pg_stat_statements_reset()');
      const [before, spending] = [await facts(), await watchCpu(owner, {})];
      const { rate, us } = await spent(work);
      await new Promise((resolve) => setTimeout(resolve, 1500)); // The database's counters lag behind.
      const [by, after] = [await spending.stop(), await facts()];
      const database = [...by]
        .filter(([n]) => n.includes('trunkline'))
        .reduce((sum, [, s]) => sum + (s * 1e6) / people, 0);
      console.log(
        `${name}: ${fmt(rate)}/s; processor us a text: this process ${fmt(us)}, database ${fmt(database)}; log ${fmt((after.wal - before.wal) / people)} bytes a text; updates ${fmt((after.all - before.all) / people)} a text, ${fmt((after.hot - before.hot) / (after.all - before.all))} of them in place`,
      );
      const { rows } = await owner.query<{ calls: number; ms: number; query: string }>(
        `select calls::int, total_exec_time ms,
          left(regexp_replace(query, '\\s+', ' ', 'g'), 120) query
          from pg_stat_statements where toplevel and userid::regrole::text like 'trunkline%'
          order by total_exec_time desc limit 8`,
      );
      for (const r of rows)
        console.log(
          `    ${fmt((r.ms * 1000) / people)} us a text, ${fmt(r.calls)} times: ${r.query}`,
        );
    };
    await watched('dispatch', dispatch);
    await watched('receipts', receipts);
    const { rate, us } = await spent(barePost);
    console.log(`bare POST: ${fmt(rate)}/s; this process ${fmt(us)} us`);
  };
  console.log(`${fmt(people)} recipients`);
  if (account) {
    await accountFor();
    await leases.stop();
    await pool.close();
    await owner.end();
    await bench.close();
    await thread.terminate();
    return;
  }
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
  const { ours } = await compare(
    'campaign dispatch against a bare POST',
    'recipients/s',
    barePost,
    dispatch,
    rounds,
  );
  const bare = median([await bareLoop(), await bareLoop(), await bareLoop()]);
  console.log(
    `campaign dispatch against a bare claim-and-mark loop: ours ${fmt(ours)}, bare ${fmt(bare)} recipients/s, ratio ${(ours / bare).toFixed(2)}; every run was exact`,
  );
  await compare(
    'delivery receipts against a batched UPDATE',
    'receipts/s',
    bareReceipts,
    async () => {
      await dispatch();
      return receipts();
    },
    rounds,
  );
  await leases.stop();
  await pool.close();
  await owner.end();
  await bench.close();
  await thread.terminate();
}
