import type pg from 'pg';

/**
 * Fills one company with years of everything that lists show: of each conversation five texts and
 * two calls, a contact, and a number for every forty conversations. Writes to the tables directly
 * with the row triggers disabled, and writes what the triggers would have written.
 *
 * One call in five has the word "appointment" in its note and one in ten thousand "zanzibar"; half
 * of the calls have one tag. One conversation in four is archived, one in twenty unread.
 */
export async function fillCompany(
  owner: pg.Pool,
  companyId: number,
  conversations: number,
): Promise<void> {
  const numbers = Math.max(10, Math.round(conversations / 40));
  const run = (text: string, values: unknown[] = [companyId]) => owner.query(text, values);
  const sized = [companyId, conversations, numbers];
  const filled = ['number', 'contact', 'conversation', 'conversation_item', 'call', 'call_tag'];
  for (const table of filled) await run(`alter table ${table} disable trigger user`, []);
  const { rows: slow } = await owner.query<{ name: string; made: string }>(
    `select indexname name, indexdef made from pg_indexes where indexname in
      ('conversation_item_search', 'contact_search', 'conversation_party_digits',
        'call_search_text_words', 'call_search_text_party')`,
  );
  for (const index of slow) await run(`drop index ${index.name}`, []);
  await run(
    `insert into number (company_id, id, number, label, provider_ref, status)
      select $1, i, '+1415' || (2000000 + i), 'Line ' || i, 'sb-' || i, 'active'
      from generate_series(1, $2::int) i`,
    [companyId, numbers],
  );
  await run(
    `insert into contact (company_id, id, number, name, company_name, email)
      select $1, n, '+1' || (2012000000 + n), (array['Ada','Bo','Cyra','Dana','Emil','Fay','Gus',
        'Hana'])[1 + n % 8] || ' ' || initcap(substr(md5(n::text), 1, 6)),
        case when n % 7 = 0 then 'Miller & Sons' else '' end, 'p' || n || '@mail.test'
      from generate_series(1, $2::int) n`,
    [companyId, conversations],
  );
  await run(
    `insert into conversation (company_id, id, number_id, party, contact_id, created_at,
        last_activity_at, archived_at, unread_messages, latest_item_id, latest_kind, latest_inbound,
        latest_at, latest_details, last_inbound_at)
      select $1, n, 1 + n % $3::int, '+1' || (2012000000 + n), n, moment - interval '30 days',
        moment, case when n % 4 = 0 then moment end, (n % 20 = 3)::int, n::bigint * 10 + 5,
        'message', true, moment, '{"content":"See you then","media":[],"segments":1,
          "encoding":"GSM-7","deliveryState":"received"}', moment
      from (select n, now() - n * interval '1 year' / $2::int moment
        from generate_series(1, $2::int) n) g`,
    sized,
  );
  await run(
    `insert into conversation_party (company_id, conversation_id, party)
      select company_id, id, party from conversation where company_id = $1`,
  );
  await run(
    `insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound,
        created_at, read_at, details, text, delivery_state, carrier)
      select c.company_id, c.id * 10 + k, c.id, c.number_id, 'message', k % 2 = 1,
        c.last_activity_at - (5 - k) * interval '3 hours',
        case when k < 5 or c.unread = 0 then c.last_activity_at end,
        jsonb_build_object('content', t.text, 'media', '[]'::jsonb, 'segments', 1, 'encoding',
          'GSM-7', 'errorCode', null, 'errorText', null, 'clientKey', null, 'automatic', null),
        t.text, case when k % 2 = 1 then 'received' else 'delivered' end, 'sandbox'
      from conversation c cross join generate_series(1, 5) k
      cross join lateral (select w[1 + c.id % 40] || ' ' || w[1 + (c.id / 7) % 40] || ' '
          || w[1 + (c.id + k * 11) % 40] || ' ' || substr(md5((c.id * 10 + k)::text), 1, 8)
          || case when c.id % 10000 = 77 and k = 1 then ' zanzibar' else '' end text
        from (select regexp_split_to_array('appointment friday whitening monday invoice crown cleaning
thanks morning late parking insurance card pain tooth braces kids evening reschedule cancel confirm
address bridge hello tuesday implant price quote call back noon today tomorrow week month doctor
nurse front desk form', '\\s+') w) x) t
      where c.company_id = $1`,
  );
  await run(
    `insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number, party,
        contact_id, conversation_id, status, outcome, started_at, ended_at, talk_seconds,
        ring_seconds, duration_seconds, first_contact, note)
      select c.company_id, c.id * 10 + k, c.number_id, k = 7 and c.id % 2 = 0, 'sandbox', c.party,
        '+14155552368', c.party, c.contact_id, c.id, 12, 1 + (c.id + k) % 4, moment, moment, c.id % 600,
        c.id % 30, c.id % 600, k = 6, case when (c.id * 2 + k) % 5 = 0 then 'Appointment moved'
          when c.id % 5000 = 77 then 'Asked about zanzibar' else '' end
      from conversation c cross join generate_series(6, 7) k
      cross join lateral (select c.last_activity_at - (k - 5) * interval '5 days' moment) t
      where c.company_id = $1`,
  );
  await run(
    `insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound,
        created_at, read_at, details, source)
      select company_id, id, conversation_id, number_id, 'call', not outbound, started_at,
        started_at, jsonb_build_object('callId', id, 'status', 12, 'outcome', outcome, 'duration',
          talk_seconds, 'ringSeconds', ring_seconds), 'call:' || id from call where company_id = $1`,
  );
  await run(`insert into tag (company_id, id, name, color) values ($1, 1, 'Hot lead', 'red')`);
  await run(
    `insert into call_tag (company_id, call_id, tag_id)
      select company_id, id, 1 from call where company_id = $1 and id % 10 = 6`,
  );
  await run(
    `insert into call_search_text (company_id, call_id, number_id, started_at, party, words, agent,
        client)
      select c.company_id, c.id, c.number_id, c.started_at, c.party,
        to_tsvector('english', case when c.id % 10 = 6 then 'Hot lead ' else '' end || c.note),
        '', '' from call c where company_id = $1`,
  );
  await run(
    `insert into contact_group_count (company_id, group_id, contacts, invalid, unsubscribed)
      select $1, 0, count(*), 0, 0 from contact where company_id = $1`,
  );
  await run(
    `insert into number_activity (company_id, number_id, last_call_at, last_message_at)
      select $1, number_id, max(last_activity_at), max(last_activity_at) from conversation
      where company_id = $1 group by number_id`,
  );
  for (const index of slow) await run(index.made, []);
  for (const table of filled) await run(`alter table ${table} enable trigger user`, []);
  await run('select recount_figures()', []);
  await run('select recount_callers()', []);
  for (const table of [...filled, 'conversation_party', 'call_search_text', 'figure_hour'])
    await run(`vacuum analyze ${table}`, []);
}
