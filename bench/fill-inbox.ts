import type pg from 'pg';

/**
 * Fills an inbox with several years of data: numbers, contacts, their conversations and five
 * messages in each.
 */
export interface InboxFixture {
  numbers: number[];
  users: number[];
}

/**
 * Writes to the tables directly with the row triggers disabled, and writes what the triggers would
 * have written. One conversation in four is archived, one in twenty unread, one in ten assigned,
 * one in five hundred snoozed. Texts are 40 words in varying order, so that a search finds few,
 * some or many.
 */
export async function fillInbox(
  owner: pg.Pool,
  companyId: number,
  userId: number,
  conversations: number,
  messages: number,
): Promise<InboxFixture> {
  const one = async (text: string, values: unknown[] = []) => {
    await owner.query(text, values);
  };
  const each = Math.max(1, Math.round(messages / conversations));
  await one(
    `insert into number (company_id, id, number, label, provider_ref, status)
      select $1, i, '+1415555' || lpad((2000 + i)::text, 4, '0'), 'Line ' || i, 'sb-' || i, 'active'
      from generate_series(1, 20) i`,
    [companyId],
  );
  for (const table of ['contact', 'conversation', 'conversation_item'])
    await one(`alter table ${table} disable trigger user`);
  const slow = (
    await owner.query<{ name: string; made: string }>(
      `select indexname name, indexdef made
        from pg_indexes where indexname in ('conversation_item_search', 'contact_search',
          'conversation_party_digits')`,
    )
  ).rows;
  for (const index of slow) await one(`drop index ${index.name}`);
  await one(
    `insert into contact (company_id, id, number, name, company_name, email)
      select $1, n, '+1' || (2012000000 + n),
      (array['Ada','Bo','Cyra','Dana','Emil','Fay','Gus','Hana','Ivo','Jun','Kai','Lea','Mia','Noa','Ola','Pia'])[1 + n % 16]
      || ' ' || initcap(substr(md5(n::text), 1, 6)),
      case when n % 7 = 0 then initcap(substr(md5((n * 3)::text), 1, 5)) || ' & Sons' else '' end,
      'p' || n || '@mail.test' from generate_series(1, $2::int) n`,
    [companyId, conversations],
  );
  // The newest are spread over a week, the rest over two years.
  await one(
    `insert into conversation (company_id, id, number_id, party, contact_id, created_at,
        last_activity_at, archived_at, unread_messages, latest_item_id, latest_kind, latest_inbound,
        latest_at, latest_details, assigned_to, assigned_name, assigned_at, snoozed_until,
        snoozed_by, last_inbound_at)
    select $1, n, 1 + n % 20, '+1' || (2012000000 + n), case when n % 10 < 8 then n end,
      moment - interval '30 days', moment, case when n % 4 = 0 or n % 500 = 7 then moment end,
      case when n % 20 = 3 and n % 4 <> 0 then 1 else 0 end, n::bigint * 10 + $3::int, 'message',
      n % 2 = 0, moment,
      '{"content":"See you on Friday then","media":[],"segments":1,"encoding":"GSM-7","deliveryState":"delivered"}',
        case when n % 10 = 1 then $4::bigint end, case when n % 10 = 1 then 'Bench' end, case
          when n % 10 = 1 then moment end, case when n % 500 = 7 then now() + interval '1 day' end,
        case when n % 500 = 7 then $4::bigint end, moment
    from (select n, now() - case when n < 2000 then n * interval '5 minutes'
          else interval '7 days' + (n - 2000) * interval '5 minutes' end moment
        from generate_series(1, $2::int) n) g`,
    [companyId, conversations, each, userId],
  );
  await one(
    `insert into conversation_party (company_id, conversation_id, party)
      select company_id, id, party from conversation where company_id = $1`,
    [companyId],
  );
  await one(
    `insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound,
        created_at, read_at, details, text, delivery_state, carrier)
    select c.company_id, c.id * 10 + k, c.id, c.number_id, 'message', k % 2 = 0,
      c.last_activity_at - (($2::int - k) * interval '3 hours'), case when k < $2::int
        or c.unread = 0 then c.last_activity_at end,
      jsonb_build_object('content', t.text, 'media', '[]'::jsonb, 'segments', 1, 'encoding',
          'GSM-7', 'errorCode', null, 'errorText', null, 'clientKey', null, 'automatic', null),
        t.text, case when k % 2 = 0 then 'received' else 'delivered' end, 'sandbox'
    from conversation c cross join generate_series(1, $2::int) k
    cross join lateral (select w[1 + c.id % 40] || ' ' || w[1 + (c.id / 7) % 40]
        || ' ' || w[1 + (c.id + k * 11) % 40] || ' ' || substr(md5((c.id * 10 + k)::text), 1, 8)
        || case when c.id % 10000 = 77 and k = 1 then ' zanzibar' else '' end text
      from (select array['appointment','friday','whitening','monday','invoice','crown','cleaning','thanks','morning','late','parking','insurance','card','pain','tooth','braces','kids','evening','reschedule','cancel','confirm','address','bridge','hello','tuesday','implant','price','quote','call','back','noon','today','tomorrow','week','month','doctor','nurse','front','desk','form'] w) x) t
    where c.company_id = $1`,
    [companyId, each],
  );
  for (const index of slow) await one(index.made);
  for (const table of ['contact', 'conversation', 'conversation_item'])
    await one(`alter table ${table} enable trigger user`);
  await one('select recount_figures()');
  await one('select recount_callers()');
  await one(
    `insert into contact_label (company_id, id, label) select $1, i, 'Label ' || i from generate_series(1, 20) i`,
    [companyId],
  );
  await one(
    `insert into contact_label_use (company_id, label_id, contact_id) select $1, 1 + n % 20, n from generate_series(1, $2::int, 20) n`,
    [companyId, conversations],
  );
  for (const table of [
    'contact',
    'conversation',
    'conversation_party',
    'conversation_item',
    'contact_label_use',
    'number',
  ])
    await one(`vacuum analyze ${table}`);
  return { numbers: Array.from({ length: 20 }, (_, i) => i + 1), users: [userId] };
}
