import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { median, createBench, percentile, fmt } from './kit.ts';

/**
 * The conversation list at 2,000 and at 200,000 conversations: the first page of 25 and a page from
 * the middle by cursor, through the whole dispatch (session, permission, row-level security).
 * Compared with a bare Fastify route that reads the same rows with one keyset statement. Prints p50
 * and p95 in ms, and how they grow.
 */
const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
await owner.query(
  `insert into number (company_id, number) select $1, '+1415555' || lpad((2000 + i)::text, 4, '0') from generate_series(1, 20) i`,
  [bench.companyId],
);

async function fill(upTo: number) {
  const { rows } = await owner.query<{ n: number }>('select count(*)::int n from conversation');
  await owner.query(
    `
    with numbers as (select array_agg(id order by id) ids from number where company_id = $1),
    people as (insert into contact (company_id, number, name)
        select $1, '+1' || (2010000000 + i)::text, 'Person ' || i
        from generate_series($2::int + 1, $3::int) i returning id, number)
    insert into conversation (company_id, number_id, party, contact_id,
        created_at, last_activity_at, unread_messages, latest_kind, latest_inbound, latest_at,
        latest_details, latest_item_id)
    select $1, ids[1 + (row_number() over ()) % 20], p.number,
      p.id, now() - interval '90 days', now() - make_interval(secs => (row_number() over ()) * 30),
      (row_number() over ()) % 7 / 6, 'message', true, now(),
      '{"content":"See you on Friday then","media":[],"segments":1,"encoding":"GSM-7"}', p.id
    from people p, numbers`,
    [bench.companyId, rows[0]!.n, upTo],
  );
  await owner.query('vacuum analyze conversation');
  await owner.query('vacuum analyze contact');
}

const bare = Fastify();
const bareSql = `select c.*, k.name, n.number, n.label
  from conversation c left join contact k on k.company_id = c.company_id and k.id = c.contact_id
  join number n on n.company_id = c.company_id and n.id = c.number_id
  where c.company_id = $1 and c.archived_at is null and c.deleted_at is null
    and (c.last_activity_at, c.id) < ($2, $3) order by c.last_activity_at desc, c.id desc limit 25`;
bare.get<{ Querystring: { at?: string; id?: string } }>('/list', async (request) => ({
  data: (
    await owner.query(bareSql, [
      bench.companyId,
      request.query.at ?? '2999-01-01',
      request.query.id ?? '9007199254740991',
    ])
  ).rows,
}));
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

const time = async (origin: string, path: string, headers: Record<string, string>, runs = 250) => {
  const pool = new Pool(origin, { connections: 1 });
  const took: number[] = [];
  for (let i = 0; i < runs + 30; i++) {
    const at = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    if (i >= 30) took.push(performance.now() - at);
  }
  await pool.close();
  return { p50: median(took), p95: percentile(took, 95) };
};

const seen: Record<number, { first: number; deep: number }> = {};
for (const size of [2_000, 200_000]) {
  await fill(size);
  const headers = { authorization: `Bearer ${bench.token}` };
  const base = `/api/companies/${bench.companyId}/conversations?perPage=25`;
  // Walk to a page in the middle by cursors, as someone who scrolls would.
  const { rows } = await owner.query(
    `select last_activity_at at, id from conversation where company_id = $1
      order by last_activity_at desc, id desc offset ${Math.floor(size / 2)} limit 1`,
    [bench.companyId],
  );
  const cursor = Buffer.from(`${new Date(rows[0].at).getTime()}.${rows[0].id}`).toString(
    'base64url',
  );
  const bareRun = await time(bareUrl, '/list', {});
  const first = await time(bench.url, base, headers);
  const deep = await time(bench.url, `${base}&cursor=${cursor}`, headers);
  seen[size] = { first: first.p95, deep: deep.p95 };
  console.log(
    `${size.toLocaleString('en-US')} conversations: first page p50 ${fmt(first.p50)} p95 ${fmt(first.p95)} ms, deep page p95 ${fmt(deep.p95)} ms, bare p50 ${fmt(bareRun.p50)} p95 ${fmt(bareRun.p95)} ms, ratio p50 ${(first.p50 / bareRun.p50).toFixed(2)} p95 ${(first.p95 / bareRun.p95).toFixed(2)}`,
  );
}
console.log(
  `growth 2,000 → 200,000: first page ${(seen[200_000]!.first / seen[2_000]!.first).toFixed(2)}, deep page ${(seen[200_000]!.deep / seen[2_000]!.deep).toFixed(2)}`,
);
await bare.close();
await owner.end();
await bench.close();
