import pg from 'pg';
import { poolSettings } from '#contract/tracking/pool-schemas';
import { beginInbound } from '../server/src/modules/calls/runtime/begin-inbound.ts';
import { provisionNumber } from '../server/src/modules/numbers/index.ts';
import { systemCtx } from '../server/src/platform/context.ts';
import { createBench, median } from './kit.ts';

/**
 * What matching adds to an inbound call: the statements of the transaction that a call begins with,
 * to a number that a visitor sees and to one in no pool, in turns. Time is the database's own,
 * planning included, so that other load counts little.
 */
const CALLS = Number(process.env['CALLS'] ?? 100);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
/** A month of visits of a busy website. */
const VISITS = Number(process.env['VISITS'] ?? 30_000);
const POOL = 20;

const bench = await createBench({}, null, { counted: true });
const { companyId, services } = bench;
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
const rows = async <T>(text: string, values: unknown[] = []) =>
  (await owner.query(text, values)).rows as T[];
await rows('alter system set pg_stat_statements.track_planning = on');
await rows('select pg_reload_conf()');

const inCompany = () => systemCtx(services, companyId, bench.server.notifier);
const numbers = await inCompany().transaction(async (t) => {
  const made = [];
  for (let i = 0; i < 2 * POOL; i++) {
    const number = `+1212555${1000 + i}`;
    made.push({ number, id: await provisionNumber(t, { number }) });
  }
  return made;
});
const [plain, tracked] = [numbers.slice(POOL), numbers.slice(0, POOL)];
const [pool] = await rows<{ id: string }>(
  `insert into tracking_pool (company_id, name, settings, created_at, updated_at)
     values ($1, 'Site', $2, now(), now()) returning id`,
  [companyId, JSON.stringify(poolSettings.parse({ domains: ['shop.example'] }))],
);
const ids = tracked.map(({ id }) => id);
const given = [companyId, pool?.id, ids];
await rows(
  `insert into tracking_pool_number (company_id, number_id, pool_id, number, position, joined_at)
     select $1, n.id, $2, n.number, 1, now() from number n
     where n.company_id = $1 and n.id = any ($3::bigint[])`,
  given,
);
// Each number has one visitor now, and had one every half hour before.
await rows(
  `with visit as (
     insert into tracking_visit (company_id, pool_id, visitor_id, started_at, last_seen_at, url,
       referrer, source_id, source_key, source_label, campaign, term, rule_id, evidence, device,
       outcome)
     select $1, $2, 'v' || n, at, at, 'https://www.shop.example/implants', 'https://www.google.com/',
       1, 'google_ads', 'Google Ads', 'spring', 'dental implants', 'click.gclid', 'gclid', 'mobile',
       'leased'
     from generate_series(0, $4::int - 1) n,
       lateral (select now() - n / ${POOL} * interval '30 minutes' as at) t
     returning *
   ) insert into tracking_lease (company_id, pool_id, number_id, session_id, visitor_id, started_at,
       last_seen_at, expires_at, ends_at, ended_at)
     select company_id, pool_id, ($3::bigint[])[1 + substr(visitor_id, 2)::int % ${POOL}], id,
       visitor_id, started_at, started_at, case when started_at = now()
         then now() + interval '6 hours' else started_at + interval '20 minutes' end,
       started_at + interval '12 hours',
       case when started_at < now() then started_at + interval '20 minutes' end
     from visit`,
  [...given, VISITS],
);
await rows(
  `insert into tracking_match (company_id, kind, subject_id, number_id, party, at, label, confidence,
     model, visitor_id, source_id, source_key, source_label)
   select $1, 'call', n, ($2::bigint[])[1], '+1646' || (5550000 + n), now() - n * interval '1 minute',
     'exact', 100, 'first_touch', 'v' || n, 1, 'google_ads', 'Google Ads'
   from generate_series(1, 5000) n`,
  [companyId, ids],
);
await rows('analyze');

interface Cost {
  statements: number;
  ms: number;
}
let calls = 0;
/** Begins so many calls to these numbers, each ended before the next round. */
async function cost(to: readonly { id: number; number: string }[]): Promise<Cost> {
  await rows('delete from live_call where company_id = $1', [companyId]);
  await rows('select pg_stat_statements_reset()');
  for (let i = 0; i < CALLS; i++) {
    const { id, number } = to[i % to.length]!;
    const call = `bench-${calls++}`;
    await inCompany().transaction((t) =>
      beginInbound(t, 'sandbox', id, {
        ...{ id: call, call, leg: call, seq: 1, at: Date.now(), type: 'inbound' as const },
        // Half of them have called before.
        ...{ from: `+1646${5_550_000 + (i % 2) * 5000 + (calls % 5000)}`, to: number },
      }),
    );
  }
  const [sum] = await rows<Cost>(
    `select sum(calls)::float8 as statements, sum(total_exec_time + total_plan_time)::float8 as ms
       from pg_stat_statements
       where toplevel and userid::regrole::text like 'trunkline%' and query !~ '^(begin|commit)'`,
  );
  return { statements: (sum?.statements ?? 0) / CALLS, ms: (sum?.ms ?? 0) / CALLS };
}

await cost(plain);
await cost(tracked);
const seen = { plain: [] as Cost[], tracked: [] as Cost[] };
for (let i = 0; i < ROUNDS; i++) {
  seen.plain.push(await cost(plain));
  seen.tracked.push(await cost(tracked));
}
const middle = (of: 'plain' | 'tracked', what: keyof Cost) =>
  median(seen[of].map((one) => one[what]));
for (const [what, unit, digits] of [
  ['statements', 'statements', 0],
  ['ms', 'ms of the database', 2],
] as const) {
  const [without, with_] = [middle('plain', what), middle('tracked', what)];
  console.log(
    `  an inbound call: ${without.toFixed(digits)} ${unit}, matched with a visit ${with_.toFixed(digits)}: ` +
      `${((with_ / without - 1) * 100).toFixed(0)} % more (goal 10)`,
  );
}
const found = await rows<{ label: string; n: number }>(
  `select label, count(*)::int n from tracking_match where at > now() - interval '10 minutes'
     and subject_id > 5000 group by label`,
);
console.log(`  ${found.map(({ label, n }) => `${n} ${label}`).join(', ')}`);
await owner.end();
await bench.close();
