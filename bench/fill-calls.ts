import type pg from 'pg';

/**
 * Fills a company with calls over two years to 60 numbers, as a busy company's: they differ by day,
 * number, source and campaign. Their sums by day are left to be added up.
 */
export async function fillCalls(owner: pg.Pool, companyId: number, size: number): Promise<void> {
  await owner.query(
    `insert into number (company_id, id, number, label, provider_ref, status)
      select $1, i, '+1415' || (2000000 + i), 'Line ' || i, 'sb-' || i, 'active'
      from generate_series(1, 60) i`,
    [companyId],
  );
  await owner.query('alter table call disable trigger user');
  const { rows: indexes } = await owner.query<{ name: string; made: string }>(
    `select indexname name, indexdef made from pg_indexes
      where tablename = 'call' and indexname <> 'call_pkey'`,
  );
  for (const { name } of indexes) await owner.query(`drop index ${name}`);
  await owner.query(
    `insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number, party,
        status, outcome, started_at, ended_at, talk_seconds, ring_seconds, duration_seconds,
        first_contact, qualified, source)
      select $1, n, 1 + r % 60, n % 9 = 0, 'sandbox', p, '+14155552368', p, 12, 1 + r % 4, moment, moment,
        r % 600, r % 30, r % 600, r % 3 = 0, r % 4 = 0,
        case when r % 3 > 0 then jsonb_build_object('key', 's' || r % 31, 'label', 'Source ' || r % 31,
          'campaign', 'Campaign ' || r % 47) end
      from generate_series(1, $2::int) n
      cross join lateral (select abs(hashint4(n)) r) x
      cross join lateral (select '+1' || (2012000000 + r % 400000) p,
        now() - n * interval '2 years' / $2::int moment) y`,
    [companyId, size],
  );
  for (const { made } of indexes) await owner.query(made);
  await owner.query('alter table call enable trigger user');
  await owner.query(
    `update call_rollup_company set counted_from = 'infinity' where company_id = $1`,
    [companyId],
  );
  await owner.query('vacuum analyze call');
}
