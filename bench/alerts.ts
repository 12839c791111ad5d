import pg from 'pg';
import { checkCompany } from '../server/src/modules/monitoring/check-company.ts';
import { dueChecks } from '../server/src/modules/monitoring/jobs.ts';
import { systemCtx } from '../server/src/platform/context.ts';
import { createBench } from './kit.ts';

/**
 * Two hours of the checks of many companies on one worker, minute by minute, as the clock starts
 * them: what they cost the database for each company and hour (goal: 50 ms at most), and how full
 * the fullest minute is. The first hour begins from nothing, the second is the usual one.
 */
const COMPANIES = Number(process.env['COMPANIES'] ?? 1000);
const goalMs = 50;

const bench = await createBench({}, null, { counted: true });
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
const fill = async (what: string, text: string): Promise<void> => {
  const began = performance.now();
  await owner.query(text);
  console.log(`  ${what}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
};
await fill(
  `${COMPANIES} companies with two numbers`,
  `insert into company (name, slug, timezone)
    select 'Bench ' || n, 'bench-' || n, 'America/New_York' from generate_series(2, ${COMPANIES}) n;
  insert into number (company_id, number, label)
    select c.id, '+1' || (2000000000 + row_number() over (order by c.id, k)), 'Line ' || k
    from company c, generate_series(1, 2) k`,
);
// The hours of an office in nine weeks, as the triggers would have added them up.
await fill(
  'their figures of nine weeks',
  `insert into figure_hour (company_id, number_id, hour, calls, missed, answered)
    select n.company_id, case when part = 0 then n.id else 0 end, hour, 6, 1, 5
    from (select company_id, min(id) as id from number group by 1) n, generate_series(0, 1) part,
      generate_series(date_trunc('hour', now()) - interval '63 days', now(), interval '1 hour') hour
    where extract(hour from hour) between 13 and 22`,
);
await fill(
  'their calls of two days',
  `alter table call disable trigger user;
  insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party, status,
      outcome, started_at, ended_at, talk_seconds, duration_seconds)
    select n.company_id, n.id, false, 'bench', '+12125550147', n.number, '+12125550147', 1, 1,
      now() - k * interval '45 minutes', now() - k * interval '45 minutes', 90, 90
    from number n, generate_series(0, 60) k;
  alter table call enable trigger user`,
);
await owner.query('analyze');

const { db } = bench.services;
const start = Date.now();
let clock = start;
bench.services.now = () => new Date(clock);

for (const hour of [1, 2]) {
  await owner.query('select pg_stat_statements_reset()');
  const minutes: { companies: number; ms: number }[] = [];
  for (let minute = 0; minute < 60; minute++) {
    const began = performance.now();
    const now = new Date(clock);
    const due = await db.systemTransaction((tx) => dueChecks(tx, now));
    for (const { companyId, kinds } of due)
      await systemCtx(bench.services, companyId, bench.server.notifier).transaction((t) =>
        checkCompany(t, kinds),
      );
    minutes.push({ companies: due.length, ms: performance.now() - began });
    clock += 60_000;
  }
  const { rows } = await owner.query<{ ms: number; calls: number }>(
    `select sum(total_exec_time)::float8 as ms, sum(calls)::int as calls from pg_stat_statements
      where toplevel and userid::regrole::text like 'trunkline%'`,
  );
  const [said] = rows;
  const each = (said?.ms ?? 0) / COMPANIES;
  const wall = minutes.reduce((sum, { ms }) => sum + ms, 0) / COMPANIES;
  const fullest = minutes.toSorted((a, b) => b.ms - a.ms)[0];
  const most = Math.max(...minutes.map(({ companies }) => companies));
  const mean = minutes.reduce((sum, { companies }) => sum + companies, 0) / minutes.length;
  console.log(
    `  hour ${hour}: ${each.toFixed(1)} ms of statements a company (goal ${goalMs}), ` +
      `${((said?.calls ?? 0) / COMPANIES).toFixed(0)} statements, ${wall.toFixed(1)} ms of the worker`,
  );
  console.log(
    `  hour ${hour}: ${most} checks in the minute with most, ${mean.toFixed(0)} on average; ` +
      `the fullest minute took ${((fullest?.ms ?? 0) / 1000).toFixed(1)} s of 60`,
  );
}
await owner.end();
await bench.close();
