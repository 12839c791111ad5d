import type pg from 'pg';

/**
 * Fills a company with texts over two years on 60 numbers by 25 people, one in twelve a campaign's,
 * and with a voicemail for every fifty and a fax for every hundred. Their sums by day are left to be
 * added up, as after an upgrade from a version without sums.
 */
export async function fillItems(owner: pg.Pool, companyId: number, size: number): Promise<void> {
  const run = (text: string, values: unknown[] = []) => owner.query(text, values);
  await run(
    `insert into number (company_id, id, number, label, provider_ref, status)
      select $1, i, '+1415' || (2000000 + i), 'Line ' || i, 'sb-' || i, 'active'
      from generate_series(1, 60) i`,
    [companyId],
  );
  for (const table of ['conversation', 'conversation_item'])
    await run(`alter table ${table} disable trigger user`);
  const { rows: indexes } = await owner.query<{ name: string; made: string }>(
    `select indexname name, indexdef made from pg_indexes
      where tablename = 'conversation_item' and indexname <> 'conversation_item_pkey'`,
  );
  for (const { name } of indexes) await run(`drop index ${name}`);
  await run(
    `insert into conversation (company_id, id, number_id, party, created_at, last_activity_at)
      select $1, n, 1 + n % 60, '+1' || (2012000000 + n), now() - interval '2 years', now()
      from generate_series(1, 20000) n`,
    [companyId],
  );
  await run(
    `insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound,
        created_at, read_at, details, text, delivery_state, carrier, actor_id, source)
      select $1, n, 1 + r % 20000, 1 + r % 60,
        case when n % 100 = 99 then 'fax' when n % 50 = 7 then 'voicemail' else 'message' end,
        n % 2 = 0, moment, moment,
        jsonb_build_object('content', 'See you on Friday then', 'media', '[]'::jsonb, 'segments', 1,
          'encoding', 'GSM-7'), 'See you on Friday then',
        case when n % 2 = 0 then 'received' else 'delivered' end, 'sandbox',
        case when n % 2 = 1 then 1 + r % 25 end, case when n % 12 = 1 then 'campaign:' || n end
      from generate_series(1, $2::int) n
      cross join lateral (select abs(hashint4(n)) r) x
      cross join lateral (select now() - n * interval '2 years' / $2::int moment) y`,
    [companyId, size],
  );
  for (const { made } of indexes) await run(made);
  for (const table of ['conversation', 'conversation_item'])
    await run(`alter table ${table} enable trigger user`);
  await run(`select recount_figures()`);
  await run(`update item_rollup_company set counted_from = 'infinity' where company_id = $1`, [
    companyId,
  ]);
  await run('vacuum analyze conversation, conversation_item, figure_hour');
}
