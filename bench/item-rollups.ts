import { readFileSync } from 'node:fs';
import pg from 'pg';
import { Pool } from 'undici';
import type { ItemGroup } from '#contract/analytics/dashboard/rules';
import { spanOf } from '../server/src/modules/analytics/query/store-figures-of-calls.ts';
import { countOfItems } from '../server/src/modules/analytics/query/store-items.ts';
import { fillItems } from './fill-items.ts';
import { compare, createBench, fmt } from './kit.ts';

/**
 * Dashboards of many texts of one company, from what was added up and text by text, each beside a
 * bare statement of the owner's on the texts. And what it costs to write a text that is added up (it
 * comes, is sent, is delivered), and a campaign's batch, with the triggers of sums and without.
 *
 * `ROLLUPS_TEXTS` (1,000,000) over two years; `ROLLUPS_WRITES` (300) texts a round.
 */
const size = Number(process.env['ROLLUPS_TEXTS'] ?? 1_000_000);
const writes = Number(process.env['ROLLUPS_WRITES'] ?? 300);
const source = readFileSync(new URL('fill-items.ts', import.meta.url), 'utf8');

const bench = await createBench(
  {},
  {
    name: `item-rollups-${size}`,
    source,
    fill: (owner, companyId) => fillItems(owner, companyId, size),
  },
);
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
const company = bench.companyId;
const since = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const began = performance.now();
let steps = 0;
let longest = 0;
for (let place: string | null = ''; place !== null; steps++) {
  const at = performance.now();
  const { rows }: { rows: { next: string | null }[] } = await owner.query(
    'select next from fill_items($1, 5000)',
    [place],
  );
  longest = Math.max(longest, performance.now() - at);
  place = rows[0]!.next;
}
const { rows: made } = await owner.query<{ rows: number; size: string }>(
  `select count(*)::int rows, pg_size_pretty(pg_total_relation_size('item_rollup')) size
    from item_rollup`,
);
console.log(
  `${size.toLocaleString('en-US')} texts added up in ${since(began)} (${steps} steps, the longest ${fmt(longest)} ms): ${made[0]!.rows.toLocaleString('en-US')} sums, ${made[0]!.size}`,
);
await owner.query('vacuum analyze item_rollup');

const tz = 'UTC';
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const to = day(0);
const questions: { name: string; start: string; group: ItemGroup; key: string }[] = [
  {
    name: '30 days by day',
    start: day(29),
    group: 'day',
    key: `(created_at at time zone 'UTC')::date`,
  },
  {
    name: 'a year by day',
    start: day(364),
    group: 'day',
    key: `(created_at at time zone 'UTC')::date`,
  },
  { name: 'a year by number', start: day(364), group: 'number', key: 'number_id' },
  { name: 'a year by person', start: day(364), group: 'user', key: 'actor_id' },
];

const http = new Pool(bench.url, { connections: 1 });
const timed = async (act: () => Promise<unknown>, times: number) => {
  const at = performance.now();
  for (let n = 0; n < times; n++) await act();
  return (performance.now() - at) / times;
};
for (const { name, start, group, key } of questions) {
  const range = { start, end: to };
  const engine = (fewest: number) =>
    bench.services.db.readOnly({ companyId: company }, async (tx) =>
      countOfItems(
        tx,
        { id: company, organizationId: null, only: null },
        {
          ...{
            kind: 'message',
            tz,
            range,
            group,
            direction: 'all',
            numberIds: null,
            userIds: null,
            fromCampaign: null,
          },
          ...spanOf(range, tz),
        },
        fewest,
      ),
    );
  const whole = async () => {
    const answer = await http.request({
      method: 'POST',
      path: '/api/dashboard',
      headers: { authorization: `Bearer ${bench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ company_id: company, type: 'messages', tz, ...range, groupBy: group }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(text.slice(0, 200));
  };
  const bare = () =>
    timed(
      () =>
        owner.query(
          `select ${key}, count(*) filter (where is_inbound), count(*) filter (where not is_inbound)
          from conversation_item where company_id = $1 and kind = 'message' and deleted_at is null
            and created_at >= $2::date group by 1`,
          [company, start],
        ),
      2,
    );
  await compare(`${name}, text by text (bare: the same texts)`, 'ms', bare, () =>
    timed(() => engine(1e9), 2),
  );
  await compare(`${name}, from sums (bare: the texts)`, 'ms', bare, () =>
    timed(() => engine(1), 40),
  );
  await compare(`${name}, whole request (bare: the texts)`, 'ms', bare, () => timed(whole, 40));
}

/** Texts that come, are sent and are delivered one by one, or `batch` at once. */
let next = size + 1;
const write = async (batch: number) => {
  const client = await owner.connect();
  const at = performance.now();
  for (let n = 0; n < writes; n += 1) {
    const first = next;
    next += batch;
    await client.query(
      `insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound,
          created_at, details, delivery_state)
        select $1, n, 1 + n % 1000, 1, 'message', false, now(), '{}', 'queued'
        from generate_series($2::int, $3::int) n`,
      [company, first, next - 1],
    );
    for (const state of ['sent', 'delivered'])
      await client.query(
        `update conversation_item set delivery_state = $4
          where company_id = $1 and id between $2 and $3`,
        [company, first, next - 1, state],
      );
  }
  const seconds = (performance.now() - at) / 1000;
  client.release();
  return (writes * batch) / seconds;
};
const triggers = (way: 'enable' | 'disable') =>
  owner.query(`alter table conversation_item ${way} trigger rollup_of_items,
    ${way} trigger rollup_of_item_change`);
for (const batch of [1, 100])
  await compare(
    `texts written, ${batch} at once (bare: without their sums)`,
    'texts/s',
    async () => {
      await triggers('disable');
      return write(batch);
    },
    async () => {
      await triggers('enable');
      return write(batch);
    },
    5,
  );
await triggers('enable');
const { rows: waiting } = await owner.query<{ n: number }>(
  'select count(*)::int n from item_rollup_change',
);
const folding = performance.now();
for (let n = 1; n > 0;)
  n = (await owner.query<{ n: number }>('select fold_item_rollups(10000) n')).rows[0]!.n;
console.log(
  `${waiting[0]!.n.toLocaleString('en-US')} changes of texts added up in ${since(folding)}`,
);
await http.close();
await owner.end();
await bench.close();
