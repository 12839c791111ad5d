import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { poolSettings } from '#contract/tracking/pool-schemas';
import { companyKey, sessionToken } from '../server/src/modules/tracking/index.ts';
import { hitLaneOf } from '../server/src/modules/tracking/hits/hit-lane.ts';
import { compare, createBench, fmt } from './kit.ts';

/**
 * What websites send. A visit that gets a number of its own, compared with a bare Fastify route that
 * inserts one visit per request; and a page view, until it is stored, compared with a bare route
 * that answers 204. Same client, bodies, connections and database for both.
 */
const VISITS = Number(process.env['VISITS'] ?? 2000);
const PAGE_VIEWS = Number(process.env['PAGE_VIEWS'] ?? 10_000);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 32);
/** Most numbers of a pool, so that every visit leases one. */
const NUMBERS = 250;

const site = 'https://www.shop.example';
const headers = {
  'content-type': 'application/json',
  origin: site,
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0',
};
const bench = await createBench();
const { appSecrets } = bench.services.settings;
const owner = new pg.Pool({ connectionString: bench.database, max: 16 });
const rows = async <T>(text: string, values: unknown[] = []) =>
  (await owner.query(text, values)).rows as T[];

/** A company with a full pool. Returns its key. */
async function addCompany(nth: number): Promise<{ id: number; key: string }> {
  const [company] = await rows<{ id: string }>(
    `insert into company (name, slug, timezone) values ($1, $1, 'UTC') returning id`,
    [`shop-${nth}`],
  );
  const id = Number(company?.id);
  await rows(
    `with number as (
       insert into number (company_id, number)
       select $1, '+1' || (2000000000 + $2::bigint * 1000 + i) from generate_series(1, $3) i
       returning id, number
     ), pool as (
       insert into tracking_pool (company_id, name, settings, created_at, updated_at)
       values ($1, 'Site', $4, now(), now()) returning id
     ) insert into tracking_pool_number (company_id, number_id, pool_id, number, position, joined_at)
       select $1, number.id, pool.id, number, row_number() over (), now() from number, pool`,
    [id, nth, NUMBERS, JSON.stringify(poolSettings.parse({ domains: ['shop.example'] }))],
  );
  return { id, key: companyKey(appSecrets, id) };
}
const companies = await Promise.all(
  Array.from({ length: Math.ceil(VISITS / NUMBERS) }, (_, nth) => addCompany(nth + 1)),
);

await rows(
  `create table bare_visit (id bigint generated always as identity primary key, company text not null,
     url text not null, referrer text, source text not null, at timestamptz not null default now())`,
);
const bare = Fastify();
bare.post<{ Body: { companyKey: string; url: string; referrer: string } }>(
  '/visit',
  async ({ body }) => {
    const [visit] = await rows<{ id: string }>(
      'insert into bare_visit (company, url, referrer, source) values ($1, $2, $3, $4) returning id',
      [body.companyKey, body.url, body.referrer, 'google_ads'],
    );
    return { data: { sessionId: visit?.id } };
  },
);
bare.post('/pageview', async (_, reply) => reply.code(204).send());
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });
const [ours, theirs] = [bench.url, bareUrl].map(
  (url) => new Pool(url, { connections: CONNECTIONS }),
) as [Pool, Pool];

/** Sends them all and returns how many a second were answered, and `after`'s work done. */
async function rate(
  pool: Pool,
  path: string,
  bodies: readonly string[],
  after: () => Promise<void> = async () => {},
): Promise<number> {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const answer = await pool.request({ method: 'POST', path, headers, body });
        await answer.body.dump();
        if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
      }
    }),
  );
  await after();
  return (bodies.length / (performance.now() - began)) * 1000;
}

const visits = Array.from({ length: VISITS }, (_, i) =>
  JSON.stringify({
    companyKey: companies[i % companies.length]?.key,
    url: `${site}/implants?gclid=${i}&utm_campaign=spring`,
    referrer: 'https://www.google.com/',
    targets: ['+12125550100'],
  }),
);
/** All numbers are free and rested, outside of what is measured. */
const freeNumbers = async (): Promise<void> => {
  await rows('update tracking_lease set ended_at = now() where ended_at is null');
  await rows(`update tracking_pool_number set leased_until = now() - interval '1 day'`);
};
await compare(
  'visits',
  'a second',
  () => rate(theirs, '/visit', visits),
  async () => {
    await freeNumbers();
    return rate(ours, '/api/dni/v1/session', visits);
  },
);
const [{ leased, other } = { leased: 0, other: 0 }] = await rows<{ leased: number; other: number }>(
  `select count(*) filter (where outcome = 'leased')::int leased,
     count(*) filter (where outcome <> 'leased')::int other from tracking_visit`,
);
console.log(`  ${fmt(leased)} visits leased a number, ${other} did not`);

const found = await rows<{ id: string; company_id: string }>(
  "select id, company_id from tracking_visit where last_seen_at > now() - interval '10 minutes' order by id desc limit $1",
  [VISITS],
);
const tokens = found.map((row) => sessionToken(appSecrets, Number(row.company_id), Number(row.id)));
const pageViews = Array.from({ length: PAGE_VIEWS }, (_, i) =>
  JSON.stringify({
    sessionId: tokens[i % tokens.length],
    url: `${site}/page/${i}`,
    title: 'A page',
  }),
);
// Numbers of those visits were given on between the runs: their visits go on without a lease.
await rows('update tracking_visit set lease_id = null');
await compare(
  'page views',
  'a second',
  () => rate(theirs, '/pageview', pageViews),
  () => rate(ours, '/api/dni/v1/pageview', pageViews, () => hitLaneOf(bench.server).stop()),
);
const [{ n } = { n: 0 }] = await rows<{ n: number }>('select count(*)::int n from tracking_hit');
console.log(`  ${fmt(n)} page views stored`);
await Promise.all([ours.close(), theirs.close(), bare.close(), owner.end()]);
await bench.close();
