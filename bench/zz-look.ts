import pg from 'pg';
import { Pool } from 'undici';
import { median, openBench } from './kit.ts';
const bench = await openBench({}, null, { counted: true });
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
const size = Number(process.env['SIZE'] ?? 100000);
await owner.query(`insert into number (company_id, number, label) select $1, '+1' || (2015000000 + i)::text, (array['Front desk','Billing','Spring mailer','Search ads','Van 12'])[1 + i % 5] || ' ' || i from generate_series(1, ${size}) i`, [bench.companyId]);
await owner.query('vacuum analyze number');
await owner.query(`with people as (insert into contact (company_id, number, name) select $1, '+1' || (2010000000 + i)::text, 'Person ' || i from generate_series(1, ${size}) i returning id, number), numbers as (select array_agg(id order by id) ids from (select id from number where company_id=$1 limit 20) x)
    insert into conversation (company_id, number_id, party, contact_id, created_at, last_activity_at, unread_messages, latest_kind, latest_inbound, latest_at, latest_details, latest_item_id)
    select $1, ids[1 + (row_number() over ()) % 20], p.number, p.id, now() - interval '90 days', now() - make_interval(secs => (row_number() over ()) * 30), (row_number() over ()) % 7 / 6, 'message', true, now(), '{"content":"See you on Friday then","media":[],"segments":1,"encoding":"GSM-7"}', p.id
    from people p, numbers`, [bench.companyId]);
await owner.query('vacuum analyze conversation'); await owner.query('vacuum analyze contact');
const headers = { authorization: `Bearer ${bench.token}` };
const pool = new Pool(bench.url, { connections: 1 });
for (const path of [`/api/numbers/datatable?company_id=${bench.companyId}&perPage=25`, `/api/numbers/datatable?company_id=${bench.companyId}&perPage=25&sort=label&dir=asc`, `/api/numbers/datatable?company_id=${bench.companyId}&perPage=25&search=20150004`, `/api/numbers/datatable?company_id=${bench.companyId}&perPage=25&search=Van%2012%20499`, `/api/companies/${bench.companyId}/conversations?perPage=25`]) {
  const one = async () => { const at = performance.now(); const a = await pool.request({ method: 'GET', path, headers }); const t = await a.body.text(); if (a.statusCode !== 200) throw new Error(t); return [performance.now() - at, t.length] as const; };
  for (let i = 0; i < 20; i++) await one();
  await owner.query('select pg_stat_statements_reset()');
  const took: number[] = []; let bytes = 0; const cpu = process.cpuUsage();
  for (let i = 0; i < 100; i++) { const [t, b] = await one(); took.push(t); bytes = b; }
  const used = process.cpuUsage(cpu);
  console.log(`\n=== ${path}\np50 ${median(took).toFixed(2)} ms, ${bytes} bytes, node cpu ${((used.user + used.system) / 100000).toFixed(2)} ms a request (client included)`);
  const { rows } = await owner.query(`select calls, (total_exec_time/calls)::numeric(9,3) exec, (total_plan_time/greatest(plans,1))::numeric(9,3) plan, left(regexp_replace(query, '\\s+', ' ', 'g'), 220) q from pg_stat_statements where calls >= 90 order by total_exec_time desc`);
  for (const r of rows) console.log(r.calls, r.exec, r.plan, r.q);
}
await pool.close(); await owner.end(); await bench.close();
