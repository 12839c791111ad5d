import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { insertInBatches } from './demo-rows.ts';
import { site, type Visit } from './demo-visit.ts';
import type { SeededRandom } from './demo-vocabulary.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Page views are kept for ninety days; of the last thirty the demo has some. */
const days = 30;

/** Where visitors go from the page on which they landed. */
const pages = [
  ['/', 'Harbor Dental'],
  ['/new-patients', 'New patients'],
  ['/implants', 'Dental implants'],
  ['/team', 'Our dentists'],
  ['/insurance', 'Insurance and payment'],
  ['/contact', 'Find us'],
] as const;

/** The pages of these visits, and what was counted of them in the last day. */
export async function seedHits(
  tx: Tx,
  random: SeededRandom,
  company_id: number,
  visits: readonly Visit[],
  now: Date,
): Promise<void> {
  const since = now.getTime() - days * DAY;
  const recent = visits.filter(({ at }) => at > since);
  await sql`select make_tracking_hit_day(day::date) from generate_series(
    ${new Date(since)}::timestamptz at time zone 'UTC', ${now}::timestamptz at time zone 'UTC',
    interval '1 day') day`.execute(tx);
  const hits = recent.flatMap((visit) =>
    Array.from({ length: visit.pages }, (_, i) => {
      const [path, title] = random.pick(pages);
      const length = visit.seen - visit.at;
      return {
        ...{ company_id, visit_id: visit.id, pool_id: visit.pool.id, kind: 'pageview' },
        at: new Date(visit.at + Math.floor((length * i) / visit.pages)),
        url: i === 0 ? visit.url : `${site}${path}`,
        title: i === 0 ? 'Harbor Dental' : title,
        region: visit.region,
      };
    }),
  );
  await insertInBatches(tx, 'tracking_hit', hits);
  await seedCounts(tx, company_id, recent, now);
}

async function seedCounts(
  tx: Tx,
  company_id: number,
  visits: readonly Visit[],
  now: Date,
): Promise<void> {
  const hourOf = (at: number) => new Date(Math.floor(at / HOUR) * HOUR);
  const counts = visits
    .filter(({ at }) => at > now.getTime() - DAY)
    .flatMap((visit, i) => {
      const of = { company_id, pool_id: visit.pool.id, hour: hourOf(visit.at) };
      return [
        { ...of, kind: 'session', reason: '', n: 1 },
        { ...of, kind: 'pageview', reason: '', n: visit.pages },
        { ...of, kind: 'heartbeat', reason: '', n: Math.ceil((visit.seen - visit.at) / MINUTE) },
        ...(i % 3 === 0 ? [{ ...of, kind: 'session', reason: 'bot', n: 1 + (i % 2) }] : []),
      ];
    });
  if (counts.length === 0) return;
  await sql`insert into tracking_hit_count (company_id, pool_id, hour, kind, reason, n)
    select company_id, pool_id, hour, kind, reason, sum(n)
    from json_populate_recordset(null::tracking_hit_count, ${JSON.stringify(counts)}::json)
    group by company_id, pool_id, hour, kind, reason`.execute(tx);
}
