import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { writeExport } from '../server/src/modules/conversations/exporting/export-items.ts';
import { defaultColumns } from '../contract/src/fields/presets/export-columns.ts';
import { systemCtx } from '../server/src/platform/context.ts';
import { fmt, median, createBench } from './kit.ts';

/**
 * Exports 250,000 calls through the whole job (filters, row-level security, keyset pages,
 * formula-safe cells, local times, progress), compared with COPY TO of the same joined columns.
 * Then the most that 25,000 and 250,000 rows hold at a time beyond what the process holds at rest, which is the
 * text of its modules: 120 MB.
 */
const ROWS = Number(process.env['EXPORT_ROWS'] ?? 250_000);
const HELD_GOAL_MB = 8;
const gc = collector();
const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
const {
  rows: [line],
} = await owner.query<{ id: number }>(
  `insert into number (company_id, number, label) values ($1, '+14155552368', 'Main line') returning id`,
  [bench.companyId],
);
await owner.query(
  `insert into conversation (company_id, id, number_id, party, created_at, last_activity_at)
    select $1, i, $2, '+1' || (2010000000 + i), now(), now() from generate_series(1, 5000) i`,
  [bench.companyId, line!.id],
);
await owner.query(
  `insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number, party,
      status, outcome, started_at, duration_seconds, ring_seconds, talk_seconds, note)
  select $1, i, $2, false, 'sandbox', '+1' || (2010000000 + i % 5000 + 1), '+14155552368', '+1'
    || (2010000000 + i % 5000 + 1), 12, 1, now() - make_interval(secs => i * 30), 60 + i % 300, 8,
    50 + i % 300, case when i % 5 = 0 then 'Asked for a quote, "soon"' else '' end
    from generate_series(1, $3::int) i`,
  [bench.companyId, line!.id, ROWS],
);
await owner.query(`insert into conversation_item (company_id, conversation_id, number_id, kind,
    is_inbound, created_at, details, source)
  select company_id, (id - 1) % 5000 + 1, number_id, 'call', true, started_at,
    jsonb_build_object('callId', id, 'status', 12, 'outcome', 1, 'duration', duration_seconds,
      'answeredBy', 'Una User'), 'call:' || id from call`);
for (const table of ['call', 'conversation', 'conversation_item'])
  await owner.query(`vacuum analyze ${table}`);

const ctx = systemCtx(bench.services, bench.companyId, bench.server.notifier);
const columns = [...defaultColumns.calls];
async function runOurs(limit: number, format: 'csv' | 'xlsx' | 'jsonl' = 'csv'): Promise<number> {
  const until = new Date(Date.now() + 60_000).toISOString();
  const input = {
    entity: 'calls',
    columns,
    tz: 'America/New_York',
    format,
    groups:
      limit < ROWS
        ? [[{ field: 'at', op: 'gte', value: new Date(Date.now() - limit * 30_000).toISOString() }]]
        : [],
    sight: null,
    hidden: false,
    until,
  };
  const {
    rows: [batch],
  } = await owner.query<{ id: string }>(
    `insert into batch (company_id, kind, input, total, created_at) values ($1, 'export-calls', $2, $3, now()) returning id`,
    [bench.companyId, input, limit],
  );
  delay.reset();
  const at = performance.now();
  await writeExport(ctx, { batchId: batch!.id, kind: 'export-calls' }, { last: true });
  const took = (performance.now() - at) / 1000;
  heldMs = [delay.percentile(99) / 1e6, delay.max / 1e6];
  const {
    rows: [done],
  } = await owner.query<{ processed: number; failed: number }>(
    'select processed, failed from batch where id = $1',
    [batch!.id],
  );
  if (done!.failed) throw new Error('the export failed');
  return done!.processed / took;
}
const reader = new pg.Client({ connectionString: bench.database });
await reader.connect();
/** COPY TO a file on the database server: no client reads along. */
async function runBare(): Promise<number> {
  const at = performance.now();
  await reader.query(`copy (select i.created_at, case when i.is_inbound then 'inbound' else 'outbound' end, n.number, n.label, c.party, ct.name, i.details ->> 'outcome', i.details ->> 'answeredBy', k.ring_seconds, k.talk_seconds, k.duration_seconds,
      (select string_agg(t.name, '; ') from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id where g.company_id = i.company_id and g.call_id = k.id), k.note
    from conversation_item i join conversation c on c.company_id = i.company_id and c.id = i.conversation_id join number n on n.company_id = i.company_id and n.id = i.number_id
      left join contact ct on ct.company_id = i.company_id and ct.id = c.contact_id left join call k on k.company_id = i.company_id and k.id = (i.details ->> 'callId')::bigint
    where i.company_id = ${bench.companyId} and i.kind = 'call' and i.deleted_at is null order by i.created_at desc, i.id desc) to program 'cat > /dev/null' with (format csv, header)`);
  return ROWS / ((performance.now() - at) / 1000);
}
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let heldMs: number[] = [];
await runBare();
await runOurs(25_000);
const [b, o]: [number[], number[]] = [[], []];
for (let i = 0; i < 3; i++) {
  b.push(await runBare());
  o.push(await runOurs(ROWS));
}
const before = Math.max(...b) / Math.min(...b);
console.log(
  `CSV of ${ROWS.toLocaleString('en-US')} calls: ours ${fmt(median(o))} rows/s, COPY TO ${fmt(median(b))} rows/s, ratio ${(median(o) / median(b)).toFixed(2)}${before > 1.25 ? ` (noisy: bare runs differ ${((before - 1) * 100).toFixed(0)} %)` : ''}`,
);
console.log(
  `event loop held while it runs: p99 ${fmt(heldMs[0]!)}, longest ${fmt(heldMs[1]!)} ms (texts are sent by the same process)`,
);
console.log(
  `JSON lines ${fmt(await runOurs(ROWS, 'jsonl'))} rows/s, XLSX ${fmt(await runOurs(ROWS, 'xlsx'))} rows/s`,
);
const inUse = (): number => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
/** The most that is in use while so many rows are written, in MB beyond what is before. */
async function heldBy(rows: number, format: 'csv' | 'xlsx'): Promise<number> {
  const atRest = inUse();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, inUse())), 300);
  await runOurs(rows, format);
  clearInterval(watch);
  return most - atRest;
}
for (const format of ['csv', 'xlsx'] as const) {
  const [small, large] = [await heldBy(25_000, format), await heldBy(ROWS, format)];
  console.log(
    `held at most, ${format}: ${fmt(small)} MB at 25,000 rows, ${fmt(large)} MB at ${ROWS.toLocaleString('en-US')} (goal: ${HELD_GOAL_MB})`,
  );
  if (large > HELD_GOAL_MB) process.exitCode = 1;
}
await reader.end();
await owner.end();
await bench.close();

/** Collects garbage. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
