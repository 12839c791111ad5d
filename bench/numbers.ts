import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { fmt, median, createBench, percentile } from './kit.ts';

/**
 * The numbers table at 1,000 and 100,000 numbers: first page, a page sorted by label, a search by
 * digits and by label; compared with the bare statement of the first page.
 */
const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: 4 });
const fill = async (from: number, to: number) => {
  await owner.query(
    `insert into number (company_id, number, label) select $1, '+1' || (2015000000 + i)::text,
      (array['Front desk','Billing','Spring mailer','Search ads','Van 12'])[1 + i % 5] || ' ' || i
      from generate_series($2::int, $3::int) i`,
    [bench.companyId, from, to],
  );
  await owner.query('vacuum analyze number');
};
const bare = Fastify();
bare.get('/list', async () => ({
  data: (
    await owner.query(
      'select * from number where company_id = $1 order by created_at desc, id desc limit 25',
      [bench.companyId],
    )
  ).rows,
}));
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

const time = async (origin: string, path: string, headers: Record<string, string>, runs = 120) => {
  const pool = new Pool(origin, { connections: 1 });
  const took: number[] = [];
  for (let i = 0; i < runs + 15; i++) {
    const at = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    if (i >= 15) took.push(performance.now() - at);
  }
  await pool.close();
  return { p50: median(took), p95: percentile(took, 95) };
};

let size = 0;
for (const wanted of [1_000, 100_000]) {
  await fill(size + 1, wanted);
  size = wanted;
  const headers = { authorization: `Bearer ${bench.token}` };
  const at = (query: string) =>
    time(
      bench.url,
      `/api/numbers/datatable?company_id=${bench.companyId}&perPage=25${query}`,
      headers,
    );
  const floor = await time(bareUrl, '/list', {});
  const figures = {
    'first page': await at(''),
    'by label': await at('&sort=label&dir=asc'),
    digits: await at('&search=20150004'),
    label: await at('&search=Van%2012%20499'),
  };
  console.log(
    `${size.toLocaleString('en-US')} numbers: bare p50 ${fmt(floor.p50)} p95 ${fmt(floor.p95)} ms; ${Object.entries(
      figures,
    )
      .map(
        ([name, f]) =>
          `${name} p50 ${fmt(f.p50)} p95 ${fmt(f.p95)} ms (${(f.p50 / floor.p50).toFixed(1)}x)`,
      )
      .join('; ')}`,
  );
}
await bare.close();
await owner.end();
await bench.close();
