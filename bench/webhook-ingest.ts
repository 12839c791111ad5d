import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { fillInbox } from './fill-inbox.ts';
import { compare, fmt, median, createBench, percentile, type Bench } from './kit.ts';
import { postSigned, signedPost, signedText, type SignedPost } from './sandbox-texts.ts';
import { watchCpu } from './processor-time.ts';

/**
 * An inbound text: signed webhook → stored, conversation and counters updated, event in the outbox,
 * acknowledged after commit; compared with a bare Fastify route with one INSERT per request. And a
 * delivery receipt, one per request, compared with a bare route that batches them into one UPDATE.
 * Same client, bodies, connections and database for both.
 * First on an empty database, then on a filled one (`CONVERSATIONS`, five messages in each; 0 skips
 * it).
 */
const REQUESTS = Number(process.env['REQUESTS'] ?? 2000);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 32);
const CONVERSATIONS = Number(process.env['CONVERSATIONS'] ?? 100_000);
const OFFERED = Number(process.env['OFFERED'] ?? 500);
const OFFERED_SECONDS = 10;
const PARTIES = 800;
const OUR_NUMBER = '+14155552368';
const phone = (n: number) => `+1201555${String(1000 + (n % PARTIES)).slice(-4)}`;

async function measure(name: string, bench: Bench): Promise<void> {
  const { companyId, database, services } = bench;
  const owner = new pg.Pool({ connectionString: database, max: 16 });
  const {
    rows: [number],
  } = await owner.query<{ id: number }>(
    'insert into number (company_id, number) values ($1, $2) returning id',
    [companyId, OUR_NUMBER],
  );
  await owner.query(
    'insert into number_directory (number, company_id, number_id) values ($1, $2, $3)',
    [OUR_NUMBER, companyId, number!.id],
  );
  await owner.query(
    'create table bare_text (id text primary key, from_number text, to_number text, body text, state text, at timestamptz default now())',
  );

  const bare = Fastify();
  bare.post<{ Body: { texts: { id: string; from: string; to: string; text: string }[] } }>(
    '/texts',
    async (request, reply) => {
      const t = request.body.texts[0]!;
      await owner.query(
        'insert into bare_text (id, from_number, to_number, body) values ($1, $2, $3, $4)',
        [t.id, t.from, t.to, t.text],
      );
      return reply.code(204).send();
    },
  );
  let gathered: { key: string; state: string; done: () => void; failed: (why: unknown) => void }[] =
    [];
  let writing = false;
  const write = async () => {
    for (await new Promise(setImmediate); gathered.length;) {
      const lot = gathered;
      gathered = [];
      await owner
        .query(
          'update bare_text b set state = r.state from unnest($1::text[], $2::text[]) r(id, state) where b.id = r.id',
          [lot.map((r) => r.key), lot.map((r) => r.state)],
        )
        .then(
          () => lot.forEach((r) => r.done()),
          (error: unknown) => lot.forEach((r) => r.failed(error)),
        );
    }
    writing = false;
  };
  bare.post<{ Body: { reports: { key: string; state: string }[] } }>(
    '/receipts',
    async (request, reply) => {
      const { key, state } = request.body.reports[0]!;
      await new Promise<void>((done, failed) => {
        gathered.push({ key, state, done, failed });
        if (!writing) {
          writing = true;
          void write();
        }
      });
      return reply.code(204).send();
    },
  );
  const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

  let n = 0;
  const { mediaSecret } = services.settings;
  const aText = () => {
    const id = `t${++n}`;
    const text = `Do you have anything on Friday? ${id}`;
    return signedText({ id, from: phone(n), to: OUR_NUMBER, text }, mediaSecret);
  };
  /** As fast as responses arrive. Returns requests per second. */
  const load = async (origin: string, path: string, bodies: SignedPost[]) => {
    const pool = new Pool(origin, { connections: CONNECTIONS });
    const at = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (next < bodies.length) await postSigned(pool, path, bodies[next++]!);
      }),
    );
    const perSecond = bodies.length / ((performance.now() - at) / 1000);
    await pool.close();
    return perSecond;
  };
  const some = <T>(make: () => T) => Array.from({ length: REQUESTS }, make);
  const texts = {
    bare: () => load(bareUrl, '/texts', some(aText)),
    ours: () => load(bench.url, '/carriers/sandbox/texts', some(aText)),
  };
  await compare(`${name}: texts`, 'texts/s', texts.bare, texts.ours);
  const processor = {
    bare: await processorMs(owner, texts.bare),
    ours: await processorMs(owner, texts.ours),
  };
  console.log(
    `  processor time a text: ours ${processor.ours}, bare ${processor.bare} (this process: server and client)`,
  );

  /** At a fixed rate, whether or not responses arrive. Returns ms from when each was due. */
  const offered = async (origin: string, path: string) => {
    const pool = new Pool(origin, { connections: 256 });
    const bodies = Array.from({ length: OFFERED * OFFERED_SECONDS }, aText);
    const took: number[] = [];
    const begun = performance.now();
    const sent: Promise<void>[] = [];
    for (let i = 0; i < bodies.length;) {
      for (; i < bodies.length && (i * 1000) / OFFERED <= performance.now() - begun; i++) {
        const due = begun + (i * 1000) / OFFERED;
        sent.push(
          postSigned(pool, path, bodies[i]!).then(() => {
            took.push(performance.now() - due);
          }),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(sent);
    await pool.close();
    return took;
  };
  const [o, b] = [
    await offered(bench.url, '/carriers/sandbox/texts'),
    await offered(bareUrl, '/texts'),
  ];
  console.log(
    `${name}: ${OFFERED} texts/s offered: ours p50 ${fmt(median(o))} p95 ${fmt(percentile(o, 95))} ms, bare p50 ${fmt(median(b))} p95 ${fmt(percentile(b, 95))} ms (goal: p95 under 100 ms)`,
  );

  const receipts = (key: (n: number) => string) => {
    let at = 0;
    return () => {
      at++;
      const report = { id: `r${++n}`, providerId: key(at), key: key(at), state: 'delivered' };
      return signedPost(
        { reports: [{ ...report, code: null, reason: null, at: Date.now() }] },
        mediaSecret,
      );
    };
  };
  const waiting = async () => {
    // Submitted texts, each the latest of one of this run's conversations.
    const { rows } = await owner.query<{ id: number }>(
      `with made as (insert into conversation_item (company_id, conversation_id, number_id, kind,
            is_inbound, created_at, read_at, details, text, delivery_state, carrier)
        select $1, c.id, c.number_id, 'message', false, now(), now(),
          '{"content":"See you then","media":[],"segments":1,"encoding":"GSM-7","errorCode":null,"errorText":null,"clientKey":null,"automatic":null}',
          'See you then', 'sent', 'sandbox'
        from (select id, number_id, row_number() over () n from conversation
            where company_id = $1 and number_id = $2) c, generate_series(0, $3::int) k
          where c.n <= ${PARTIES} and k * ${PARTIES} + c.n <= $3 returning id, conversation_id),
      last as (select conversation_id, max(id) id from made group by 1),
      shown as (update conversation c set latest_item_id = l.id, latest_inbound = false
          from last l where c.company_id = $1 and c.id = l.conversation_id) select id from made`,
      [companyId, number!.id, REQUESTS],
    );
    return rows.map((r) => `m.${companyId}.${r.id}`);
  };
  await compare(
    `${name}: receipts`,
    'receipts/s',
    async () => {
      const from = ++n;
      await owner.query(
        'insert into bare_text (id) select $1 || i from generate_series(1, $2::int) i',
        [`w${from}-`, REQUESTS],
      );
      return load(bareUrl, '/receipts', some(receipts((i) => `w${from}-${i}`)));
    },
    async () => {
      const keys = await waiting();
      return load(bench.url, '/carriers/sandbox/receipts', some(receipts((i) => keys[i - 1]!)));
    },
  );

  const {
    rows: [seen],
  } = await owner.query(
    `select (select count(*)::int from conversation_item where number_id = $1 and is_inbound) texts,
      (select coalesce(sum(unread_messages), 0)::int from conversation where number_id = $1) unread,
    (select count(*)::int from conversation_item
        where number_id = $1 and not is_inbound and delivery_state = 'delivered') delivered,
      (select count(*)::int from outbox where event = 'conversation-updated') events`,
    [number!.id],
  );
  console.log(
    `  stored ${seen.texts} texts (${seen.unread} counted as unread), ${seen.delivered} receipts, ${seen.events} events; none refused`,
  );
  await bare.close();
  await owner.end();
  await bench.close();
}

/** CPU time per text: of the database's backends, and of this process. */
async function processorMs(owner: pg.Pool, run: () => Promise<number>): Promise<string> {
  const spending = await watchCpu(owner, {});
  const before = process.cpuUsage();
  await run();
  const mine = process.cpuUsage(before);
  const database = [...(await spending.stop())]
    .filter(([who]) => who.startsWith('postgres '))
    .reduce((sum, [, seconds]) => sum + seconds, 0);
  return `database ${fmt((database * 1000) / REQUESTS)} ms, this process ${fmt((mine.user + mine.system) / 1000 / REQUESTS)} ms`;
}

await measure('fresh database', await createBench());
if (CONVERSATIONS)
  await measure(
    `${CONVERSATIONS.toLocaleString('en-US')} conversations`,
    await createBench(
      {},
      {
        name: `inbox-${CONVERSATIONS}`,
        source: readFileSync(new URL('fill-inbox.ts', import.meta.url), 'utf8'),
        fill: async (owner, companyId, personId) => {
          await fillInbox(owner, companyId, personId, CONVERSATIONS, CONVERSATIONS * 5);
        },
      },
    ),
  );
