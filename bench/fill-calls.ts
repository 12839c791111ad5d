import type pg from 'pg';

/**
 * Fills a company with calls over two years to 60 numbers, as a busy company's: they differ by day,
 * number, source, campaign and state, a quarter is tagged, and a fifth has a transcript with a mood,
 * half of these with a phrase. Their sums by day are left to be added up, as after an upgrade from a
 * version without sums.
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
        first_contact, qualified, caller_state, source)
      select $1, n, 1 + r % 60, n % 9 = 0, 'sandbox', p, '+14155552368', p, 12, 1 + r % 4, moment, moment,
        r % 600, r % 30, r % 600, r % 3 = 0, r % 4 = 0,
        case when r % 10 > 0 then (array['CA', 'TX', 'NY', 'FL', 'WA'])[1 + r % 5] || nullif(r % 9, 8) end,
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
  await fillFacts(owner, companyId);
  await owner.query(
    `update call_rollup_company
      set counted_from = 'infinity', more_counted_from = 'infinity', known_from = 'infinity'
      where company_id = $1`,
    [companyId],
  );
  await owner.query('vacuum analyze call, call_tag, transcription, phrase_hit');
}

/** What some calls have in other tables. */
async function fillFacts(owner: pg.Pool, companyId: number): Promise<void> {
  const tables = ['call_tag', 'recording', 'transcription', 'phrase_hit'];
  for (const table of tables) await owner.query(`alter table ${table} disable trigger user`);
  for (const made of [
    `insert into tag (company_id, id, name, color) select $1, i, 'Tag ' || i, 'blue'
      from generate_series(1, 12) i`,
    `insert into call_tag (company_id, call_id, tag_id)
      select $1, id, 1 + id % 12 from call where company_id = $1 and id % 4 = 0`,
    `insert into phrase_list (company_id, id, name, phrases, said_by, at_least, created_at, updated_at)
      select $1, i, 'List ' || i, '{please}', 'either', 1, now(), now() from generate_series(1, 8) i`,
    `insert into recording (company_id, id, call_id, carrier_recording, kind, state, content_type,
        duration_ms, channels, speakers, created_at)
      select $1, id, id, 'r' || id, 'call', 'ready', 'audio/wav', 1000, 1, '{0}', started_at
      from call where company_id = $1 and id % 5 = 0`,
    `insert into transcription (company_id, id, recording_id, call_id, state, metadata, created_at)
      select $1, id, id, id, 'ready', jsonb_build_object('sentiment', jsonb_build_object('overall',
        (array['positive', 'neutral', 'negative', 'mixed'])[1 + id % 4])), started_at
      from call where company_id = $1 and id % 5 = 0`,
    `insert into phrase_hit (company_id, list_id, transcription_id, call_id, called_at, spoken,
        is_rough)
      select $1, 1 + id % 8, id, id, started_at, '[]', false
      from call where company_id = $1 and id % 10 = 0`,
  ])
    await owner.query(made, [companyId]);
  for (const table of tables) await owner.query(`alter table ${table} enable trigger user`);
}
