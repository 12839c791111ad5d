import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Pool } from 'undici';
import { figuresOfQuestion } from '../server/src/modules/analytics/query/choose-table.ts';
import { readQuestion } from '../server/src/modules/analytics/query/question.ts';
import { spanOf } from '../server/src/modules/analytics/query/store-figures-of-calls.ts';
import { fillCalls } from './fill-calls.ts';
import { compare, createBench, fmt } from './kit.ts';

/**
 * Reports on many calls of one company: 30 days by day and a year by source, without different
 * callers, from what was added up and from the calls, each beside a bare statement of the owner's
 * for the same table (no session, no row-level security, no choice of a table). And what it costs
 * to write a call that is added up: four transactions each (it comes, is answered, ends, gets its
 * source), with the triggers of sums and without.
 *
 * `ROLLUPS_CALLS` (2,000,000) over two years; `ROLLUPS_WRITES` (200) calls a round.
 */
const size = Number(process.env['ROLLUPS_CALLS'] ?? 2_000_000);
const writes = Number(process.env['ROLLUPS_WRITES'] ?? 200);
const source = readFileSync(new URL('fill-calls.ts', import.meta.url), 'utf8');

const bench = await createBench(
  {},
  {
    name: `call-rollups-${size}`,
    source,
    fill: (owner, companyId) => fillCalls(owner, companyId, size),
  },
);
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
const company = bench.companyId;
const since = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const began = performance.now();
let months = 0;
let longest = 0;
for (let more = true; more; months++) {
  const at = performance.now();
  const { rows } = await owner.query<{ more: boolean }>('select fill_call_rollup() more');
  longest = Math.max(longest, performance.now() - at);
  more = rows[0]!.more;
}
const { rows: made } = await owner.query<{ rows: number; size: string }>(
  `select count(*)::int rows, pg_size_pretty(pg_total_relation_size('call_rollup')) size from call_rollup`,
);
console.log(
  `${size.toLocaleString('en-US')} calls added up in ${since(began)} (${months - 1} steps, the longest ${fmt(longest)} ms): ${made[0]!.rows.toLocaleString('en-US')} sums, ${made[0]!.size}`,
);
await owner.query('vacuum analyze call_rollup');

const tz = 'UTC';
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const sums = `sum(calls::float8), sum(answered::float8), sum(missed::float8), sum(voicemail::float8),
  sum(blocked::float8), sum(first_time::float8), sum(talk::float8), sum(answered_talk::float8),
  sum(answered_ring::float8), sum(qualified::float8), sum(leads::float8), sum(value::float8)`;
const counts = `count(*), count(*) filter (where outcome = 1), count(*) filter (where outcome = 2),
  count(*) filter (where outcome = 3), count(*) filter (where outcome = 4),
  count(*) filter (where first_contact), sum(talk_seconds::float8),
  sum((case when outcome = 1 then talk_seconds else 0 end)::float8),
  sum((case when outcome = 1 then ring_seconds else 0 end)::float8),
  count(*) filter (where qualified), count(*) filter (where lead), sum(coalesce(value_cents, 0)::float8)`;
const [from, to] = [day(364), day(0)];
const firstWhole = `${day(333).slice(0, 7)}-01`;
const thisMonth = `${to.slice(0, 7)}-01`;
const questions = [
  {
    name: '30 days by day',
    ask: { start: day(29), end: to, group: 'day' as const },
    sums: `select day, ${sums} from call_rollup where company_id = ${company} and edition = 1
      and dimension = 0 and not by_month and day between '${day(29)}' and '${to}' and not outbound
      group by day`,
    calls: `select (started_at at time zone 'UTC')::date, ${counts} from call
      where company_id = ${company} and not outbound and started_at >= '${day(29)}'::date group by 1`,
  },
  {
    name: 'a year by source',
    ask: { start: from, end: to, group: 'source' as const },
    sums: `select key, max(label), ${sums} from (
        select * from call_rollup where company_id = ${company} and edition = 1 and dimension = 3
          and by_month and day >= '${firstWhole}' and day < '${thisMonth}' and not outbound
        union all
        select * from call_rollup where company_id = ${company} and edition = 1 and dimension = 3
          and not by_month and day >= '${from}' and day < '${firstWhole}' and not outbound
        union all
        select * from call_rollup where company_id = ${company} and edition = 1 and dimension = 3
          and not by_month and day >= '${thisMonth}' and not outbound) r group by key`,
    calls: `select source ->> 'key', max(source ->> 'label'), ${counts} from call
      where company_id = ${company} and not outbound and started_at >= '${from}'::date group by 1`,
  },
];

const http = new Pool(bench.url, { connections: 1 });
const headers = { authorization: `Bearer ${bench.token}` };
const timed = async (act: () => Promise<unknown>, times: number) => {
  const at = performance.now();
  for (let n = 0; n < times; n++) await act();
  return (performance.now() - at) / times;
};
for (const { name, ask, sums: bareSums, calls: bareCalls } of questions) {
  const question = readQuestion({ ...ask, tz, target: 'calls', unique: false }, new Date());
  const engine = (fewest: number) =>
    bench.services.db.readOnly({ companyId: company }, async (tx) =>
      figuresOfQuestion(
        tx,
        {
          ...{ companyId: company, organizationId: null, only: null, question, credits: null },
          ...spanOf(question.range, tz),
          isSpread: false,
        },
        fewest,
      ),
    );
  const query = new URLSearchParams({ ...ask, tz, company_id: String(company), unique: 'false' });
  const whole = async () => {
    const answer = await http.request({
      method: 'GET',
      path: `/api/analytics/calls?${String(query)}`,
      headers,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(text.slice(0, 200));
  };
  const bare = () => timed(() => owner.query(bareSums), 40);
  await compare(`${name}, engine, from sums (bare: the same sums)`, 'ms', bare, () =>
    timed(() => engine(1), 40),
  );
  await compare(`${name}, whole request (bare: the same sums)`, 'ms', bare, () => timed(whole, 40));
  await compare(
    `${name}, engine, call by call (bare: the same calls)`,
    'ms',
    () => timed(() => owner.query(bareCalls), 2),
    () => timed(() => engine(Infinity), 2),
  );
}

// What a call costs: it comes, is answered, ends, and gets its source.
let next = size + 1;
const write = async () => {
  const client = await owner.connect();
  const at = performance.now();
  for (let n = 0; n < writes; n++) {
    const id = next++;
    await client.query(
      `insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number, party,
        status, started_at) values ($1, $2, $3, false, 'sandbox', $4, '+14155552368', $4, 1, now())`,
      [company, id, 1 + (id % 60), `+1${2_012_000_000 + (id % 400_000)}`],
    );
    for (const change of [
      `outcome = 1, status = 5, answered_at = now(), ring_seconds = 8`,
      `status = 12, ended_at = now(), talk_seconds = 90, duration_seconds = 98`,
      `source = '{"key":"s1","label":"Source 1","campaign":"Campaign 1"}', qualified = true`,
    ])
      await client.query(`update call set ${change} where company_id = $1 and id = $2`, [
        company,
        id,
      ]);
  }
  const seconds = (performance.now() - at) / 1000;
  client.release();
  return writes / seconds;
};
const triggers = (way: 'enable' | 'disable') =>
  owner.query(`alter table call ${way} trigger rollup_of_call,
    ${way} trigger rollup_of_call_change`);
await compare(
  'calls written (bare: without their sums)',
  'calls/s',
  async () => {
    await triggers('disable');
    return write();
  },
  async () => {
    await triggers('enable');
    return write();
  },
  5,
);
await triggers('enable');
for (let n = 0; n < 10; n++) await write();
const { rows: waiting } = await owner.query<{ n: number }>(
  'select count(*)::int n from call_rollup_change',
);
const folding = performance.now();
for (let n = 1; n > 0;)
  n = (await owner.query<{ n: number }>('select fold_call_rollups(10000) n')).rows[0]!.n;
console.log(
  `${waiting[0]!.n.toLocaleString('en-US')} changes of calls added up in ${since(folding)}`,
);
await http.close();
await owner.end();
await bench.close();
