import pg from 'pg';
import Fastify from 'fastify';
import { Pool } from 'undici';
import { median, openBench } from './kit.ts';
import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
const bench = await openBench({}, null, { counted: true });
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
await owner.query(`insert into number (company_id, number) select $1, '+1415555' || lpad((2000 + i)::text, 4, '0') from generate_series(1, 20) i`, [bench.companyId]);
await owner.query(`with people as (insert into contact (company_id, number, name) select $1, '+1' || (2010000000 + i)::text, 'Person ' || i from generate_series(1, 2000) i returning id, number), numbers as (select array_agg(id order by id) ids from (select id from number where company_id=$1 limit 20) x)
    insert into conversation (company_id, number_id, party, contact_id, created_at, last_activity_at, unread_messages, latest_kind, latest_inbound, latest_at, latest_details, latest_item_id)
    select $1, ids[1 + (row_number() over ()) % 20], p.number, p.id, now() - interval '90 days', now() - make_interval(secs => (row_number() over ()) * 30), (row_number() over ()) % 7 / 6, 'message', true, now(), '{"content":"See you on Friday then","media":[],"segments":1,"encoding":"GSM-7"}', p.id
    from people p, numbers`, [bench.companyId]);
await owner.query('vacuum analyze conversation'); await owner.query('vacuum analyze contact');
const bare = Fastify();
const bareSql = `select c.*, k.name, n.number, n.label from conversation c left join contact k on k.company_id = c.company_id and k.id = c.contact_id join number n on n.company_id = c.company_id and n.id = c.number_id
  where c.company_id = $1 and c.archived_at is null and c.deleted_at is null and (c.last_activity_at, c.id) < ($2, $3) order by c.last_activity_at desc, c.id desc limit 25`;
bare.get('/list', async () => ({ data: (await owner.query(bareSql, [bench.companyId, '2999-01-01', '9007199254740991'])).rows }));
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });
const headers = { authorization: `Bearer ${bench.token}` };
const run = async (origin: string, path: string, n: number) => {
  const pool = new Pool(origin, { connections: 1 });
  const one = async () => { const at = performance.now(); const a = await pool.request({ method: 'GET', path, headers }); const t = await a.body.text(); if (a.statusCode !== 200) throw new Error(t); return performance.now() - at; };
  for (let i = 0; i < 100; i++) await one();
  const took: number[] = []; const cpu = process.cpuUsage();
  for (let i = 0; i < n; i++) took.push(await one());
  const used = process.cpuUsage(cpu); await pool.close();
  console.log(path.slice(0, 40), `p50 ${median(took).toFixed(2)} min ${Math.min(...took).toFixed(2)} ms, node cpu ${((used.user + used.system) / 1000 / n).toFixed(2)} ms a request (client included)`);
};
await run(bareUrl, '/list', 400);
const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 200 });
const path = process.env['PATHQ'] ?? `/api/companies/${bench.companyId}/conversations?perPage=25`;
await run(bench.url, path, 300);
await s.post('Profiler.start');
await run(bench.url, path, 600);
const { profile } = await s.post('Profiler.stop'); writeFileSync('/tmp/main-run/list.cpuprofile', JSON.stringify(profile));
await run(bareUrl, '/list', 400);
await bare.close(); await owner.end(); await bench.close();
