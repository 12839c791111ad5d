import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withCluster, type Cluster } from '../cluster.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import { RetryingDatabase } from '../product.ts';
import { SteadyLoad, type LoadAudit } from '../steady-load.ts';
import { signInAsOwner } from '../traffic.ts';

/**
 * Two web, two worker and two media processes behind a balancer, on PostgreSQL 15, Redis and a
 * bucket that they share, each in a folder of its own. Every one is stopped and started again 2
 * (full: 10) times under load, then web processes are killed, then media processes.
 */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const rounds = size === 'full' ? 10 : 2;
  const figures = await withCluster(
    { roles: ['media', 'media', 'web', 'web', 'worker', 'worker'], env: {} },
    (cluster) => tryCluster(cluster, rounds),
  );
  return (
    figures ?? [
      printMetric(
        'two-of-everything',
        'PostgreSQL 15 or Redis missing (apt-get install)',
        'works',
        'skipped',
      ),
    ]
  );
}

async function tryCluster(cluster: Cluster, rounds: number): Promise<Metric[]> {
  const { url, databaseUrl } = cluster;
  const db = new RetryingDatabase(databaseUrl);
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await watchJobs(owner);
  const token = await signInAsOwner(url);
  const rolling = new SteadyLoad(url, token, db);
  await rolling.start();
  let restarts = 0;
  for (let round = 0; round < rounds; round++)
    for (const one of cluster.processes) {
      await pause(500);
      const ms = await one.stop();
      await one.start();
      restarts += 1;
      console.log(`${one.role} ${one.port} stopped in ${(ms / 1000).toFixed(1)} s`);
    }
  const rolled = await rolling.end();

  const killed = new SteadyLoad(url, token, db, 100_000);
  killed.mayFail = true;
  await killed.start();
  let kills = 0;
  for (let round = 0; round < rounds; round++)
    for (const one of cluster.processes.filter(({ role }) => role === 'web')) {
      await pause(2000);
      await one.kill();
      kills += 1;
      await pause(500);
      await one.start();
    }
  const kept = await killed.end();

  const unheard = new SteadyLoad(url, token, db, 200_000);
  unheard.mayFail = true;
  await unheard.start();
  const media = cluster.processes.filter(({ role }) => role === 'media');
  for (let round = 0; round < rounds; round++)
    for (const one of media) {
      await pause(4000);
      await one.kill();
      await pause(8000);
      await one.start();
    }
  const silenced = await unheard.end();
  const lost = await callsOfLostExchanges(owner);
  const jobs = await repeatedJobs(owner);
  const connections = await connectionsOf(owner);
  await owner.end();
  await db.close();
  return [
    printMetric('two-of-everything', `${restarts} restarts in ${rounds} rounds`, 'shown', true),
    ...figuresOf('two-of-everything: restarts', rolled),
    ...figuresOf(`two-of-everything: ${kills} web processes killed`, kept),
    ...figuresOf(`two-of-everything: ${rounds * media.length} media processes killed`, silenced),
    printMetric(
      'two-of-everything: calls of killed media processes',
      `${lost.ended} of ${lost.all} ended, ${lost.told} of them with the reason in their history`,
      'all',
      lost.all > 0 && lost.ended === lost.all && lost.told === lost.all,
    ),
    printMetric('two-of-everything: connections', connections, 'shown', true),
    printMetric(
      'two-of-everything: jobs',
      `${jobs.runs} runs, ${jobs.clock} by the clock; twice: ${jobs.twice.join(', ') || 'none'}`,
      'none twice',
      jobs.twice.length === 0 && jobs.runs > 0,
    ),
  ];
}

function figuresOf(name: string, found: LoadAudit): Metric[] {
  const first = (what: readonly string[]) => `${what.length} ${what.slice(0, 3).join('; ')}`.trim();
  const { failed, dropped, unfinished } = found;
  const lost = [...found.lostTexts, ...found.lostContacts];
  const double = [...found.doubleTexts, ...found.doubleContacts];
  const none = (id: string, value: string, holds: boolean) =>
    printMetric(`${name}, ${id}`, value, '0', holds);
  return [
    none(
      'failed requests',
      `${first(failed)} of ${found.requests}, slowest ${(found.slowestMs / 1000).toFixed(1)} s`,
      failed.length === 0,
    ),
    none(
      'missed events',
      `${found.missed} of ${found.events}; ${found.connections} connections, ${found.resyncs} resyncs`,
      found.missed + found.resyncs === 0 && found.events > 0,
    ),
    none('lost', first(lost), lost.length === 0),
    none('double', first(double), double.length === 0),
    none('dropped calls', `${first(dropped)} of ${found.calls}`, dropped.length === 0),
    none('unfinished calls', first(unfinished), unfinished.length === 0),
  ];
}

/** What the processes hold of the database at the end of the load, by their names. */
async function connectionsOf(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ name: string; n: number }>(
    `select application_name name, count(*)::int n from pg_stat_activity
      where application_name like 'trunkline%' group by 1 order by 2 desc`,
  );
  const sum = rows.reduce((all, { n }) => all + n, 0);
  return `${sum}: ${rows.map(({ name, n }) => `${name} ${n}`).join(', ')}`;
}

/** Writes down each run of a job: the queue forgets those that ended. */
const watchJobs = (db: pg.Client) =>
  db.query(`
    create table job_run (job bigint, task int, attempt int, cron text);
    create function note_job_run() returns trigger language plpgsql security definer as $$
      begin
        insert into public.job_run values (new.id, new.task_id, new.attempts,
          new.payload::jsonb #>> '{_cron,ts}');
        return new;
      end $$;
    create trigger note_job_run after update of attempts on graphile_worker._private_jobs
      for each row when (new.attempts > old.attempts) execute function note_job_run()`);

/** The calls that were up at exchanges that ended without saying so. */
async function callsOfLostExchanges(db: pg.Client) {
  const { rows } = await db.query<{ all: number; ended: number; told: number }>(`
    select count(*)::int as all, count(c.ended_at)::int ended,
        count(*) filter (where exists (select from call_history h where h.company_id = c.company_id
          and h.call_id = c.id and h.detail like 'The connection was lost: %'))::int told
      from call c join live_call l on l.company_id = c.company_id and l.call_id = c.id
        join exchange e on e.id = l.exchange
      where not e.draining and e.ended_at is not null
        and (c.ended_at is null or c.ended_at > e.ended_at - interval '2 ms')`);
  return { all: 0, ended: 0, told: 0, ...rows[0] };
}

async function repeatedJobs(db: pg.Client) {
  const counted = await db.query<{ runs: number; clock: number }>(
    'select count(*)::int runs, count(cron)::int clock from job_run',
  );
  const { rows: twice } = await db.query<{ what: string }>(`
    select coalesce(cron || ' ', '') || identifier || ' ' || count(*) what from job_run r
      join graphile_worker._private_tasks t on t.id = r.task
      group by identifier, cron, case when cron is null then job end, attempt
      having count(*) > 1`);
  return { runs: 0, clock: 0, ...counted.rows[0], twice: twice.map(({ what }) => what) };
}
