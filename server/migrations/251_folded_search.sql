-- Texts as searches compare them: without case, accents and other ways of writing the same letters
-- (`contract/src/fold.ts` is the same for the server; a test holds them equal). Most texts are ASCII
-- and only become lower case.
create function folded(written text) returns text language sql immutable parallel safe as $$
  select case when octet_length(written) = length(written) then lower(written) else
    normalize(replace(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(lower(normalize(translate(written, '’‘‛ʼʻʹ′´“”„‟«»″‐‑‒–—―−', '''''''''''''''''"""""""-------'), NFKD)), '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u00AD\u200B-\u200F\u2060\uFEFF]', '', 'g'), 'łøđðħıŧŋĸƒɨƶςŁØĐÐĦŦŊƗƵ', 'loddhitnkfizσloddhtniz'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'), NFC) end
$$;

-- ASCII texts are found by the indexes there are. Only the others get a second entry, so that this
-- upgrade reads large tables but writes little, and a text that arrives costs what it did.
create index concurrently contact_search_folded on contact using gin (company_id, folded(search) gin_trgm_ops)
  with (gin_pending_list_limit = 256)
  where deleted_at is null and octet_length(search) <> length(search);
create index concurrently conversation_item_search_folded
  on conversation_item using gin (company_id, folded(text) gin_trgm_ops)
  with (gin_pending_list_limit = 256)
  where deleted_at is null and text <> '' and octet_length(text) <> length(text);

-- The same functions, with folded patterns. `like` of an ASCII text's lower case is its folded form.
create or replace function contacts_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select k.id from contact k where k.company_id = company and company = current_company() and k.deleted_at is null and k.search like pattern limit most)
  union (select k.id from contact k where k.company_id = company and company = current_company() and k.deleted_at is null and octet_length(k.search) <> length(k.search) and folded(k.search) like pattern limit most)
  union (select k.id from contact k where digits is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like digits limit most)
  union (select n.contact_id from contact_number n where digits is not null and n.company_id = company and company = current_company() and n.number like digits limit most)
  limit most
$$;

create or replace function items_matching(
  company bigint, pattern text, digits text, since timestamptz, before timestamptz
)
returns table (id bigint, created_at timestamptz) language sql stable rows 50 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  with by_text as materialized (
  (select i.id, i.created_at from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before)
  union all (select i.id, i.created_at from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and octet_length(i.text) <> length(i.text) and folded(i.text) like pattern and i.created_at >= since and i.created_at < before)),
  by_party as materialized (
    select p.conversation_id id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits)
  select t.id, t.created_at from by_text t
  union select i.id, i.created_at from by_party p join conversation_item i on i.company_id = company and i.conversation_id = p.id and i.deleted_at is null and i.created_at >= since and i.created_at < before
$$;

create or replace function conversations_found(
  company bigint, pattern text, digits text, since timestamptz, before timestamptz, most int
)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select i.conversation_id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most)
  union all (select i.conversation_id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and octet_length(i.text) <> length(i.text) and folded(i.text) like pattern and i.created_at >= since and i.created_at < before limit most)
  union all (select c.id from (
      (select k.id from contact k where pattern is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like pattern limit most)
      union (select k.id from contact k where pattern is not null and k.company_id = company and company = current_company() and k.deleted_at is null and octet_length(k.search) <> length(k.search) and folded(k.search) like pattern limit most)) k
    join conversation c on c.company_id = company and c.contact_id = k.id limit most)
  union all (select p.conversation_id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits limit most)
$$;

create or replace function match_items(
  company bigint, pattern text, since timestamptz, before timestamptz, most int
)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select i.id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most)
  union all (select i.id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and octet_length(i.text) <> length(i.text) and folded(i.text) like pattern and i.created_at >= since and i.created_at < before limit most)
$$;

-- Numbers: what is searched, and their order.
create index concurrently number_search_folded on number using gin (
  company_id,
  folded(label || chr(31) || city || chr(31) || coalesce(vanity_text, '')) gin_trgm_ops
)
  where status <> 'released'
    and octet_length(label || city || coalesce(vanity_text, '')) <> length(label || city || coalesce(vanity_text, ''));
create or replace function numbers_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language plpgsql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
begin
  if company is distinct from current_company() then return; end if;
  return query select n.id from number n where n.company_id = company and n.status <> 'released'
    and lower(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '')) like pattern limit most;
  return query select n.id from number n where n.company_id = company and n.status <> 'released'
    and octet_length(n.label || n.city || coalesce(n.vanity_text, '')) <> length(n.label || n.city || coalesce(n.vanity_text, ''))
    and folded(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '')) like pattern limit most;
  if digits is not null then
    return query select n.id from number n where n.company_id = company and n.status <> 'released'
      and digit_runs(substr(n.number, 2)) @> (select array_agg(substr(digits, place, least(length(digits), 4))) from generate_series(1, greatest(1, length(digits) - 3)) place)
      and n.number like '%' || digits || '%' limit most;
  end if;
end $$;

-- Orders by name: José stands beside Jose.
create index concurrently contact_by_name on contact (company_id, folded(name), id) include (name)
  where deleted_at is null;
create index concurrently number_in_order_of_label on number (company_id, folded(label), id);

-- Calls: a word is found as it was typed and folded. What was said before this is found as typed.
create or replace function call_search_query(way text, said text) returns tsquery
language sql immutable parallel safe as $$
  select case way when 'phrase' then phraseto_tsquery('english', said)
    when 'prefix' then to_tsquery('english', quote_literal(said) || ':*')
    else plainto_tsquery('english', said) end
$$;
create or replace function call_search_condition(wanted jsonb) returns text
language plpgsql stable set search_path = public, pg_temp as $$
declare
  term jsonb; q tsquery; what text := ''; said text;
begin
  for term in select * from jsonb_array_elements(wanted) loop
    said := term ->> 'text';
    q := call_search_query(term ->> 'way', said);
    if folded(said) <> lower(said) then q := q || call_search_query(term ->> 'way', folded(said)); end if;
    if term ->> 'way' = 'digits' then
      what := what || format(' and %s (w.party like %L or w.words @@ %L::tsquery)', case when (term ->> 'not')::boolean then 'not' else '' end, '%' || said || '%', q);
    elsif numnode(q) > 0 then
      -- The words of both sides are among all words: that index finds the candidates, the side is looked at in those few.
      what := what || case when (term ->> 'not')::boolean then format(' and not w.%I @@ %L::tsquery', case term ->> 'of' when 'agent' then 'agent' when 'client' then 'client' else 'words' end, q)
        else format(' and w.words @@ %L::tsquery', q) || case when term ->> 'of' in ('agent', 'client') then format(' and w.%I @@ %L::tsquery', term ->> 'of', q) else '' end end;
    end if;
  end loop;
  return what;
end $$;
create or replace function refresh_call_words(company bigint, calls bigint[]) returns void language sql as $$
  insert into call_search_text (company_id, call_id, number_id, started_at, party, words, agent, client)
  select c.company_id, c.id, c.number_id, c.started_at, c.party,
    to_tsvector('english', folded(left(concat_ws(E'\n', c.caller_name, k.name, c.note,
      (select string_agg(t.name, E'\n') from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id where g.company_id = c.company_id and g.call_id = c.id), w.spoken), 600000))),
    to_tsvector('english', folded(left(coalesce(w.agent, ''), 600000))), to_tsvector('english', folded(left(coalesce(w.client, ''), 600000)))
  from call c left join contact k on k.company_id = c.company_id and k.id = c.contact_id
    left join lateral (
      select string_agg(t.text, E'\n') spoken, string_agg(s.agent, E'\n') agent, string_agg(s.client, E'\n') client from transcription t
      cross join lateral (select string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '1') agent, string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '2') client
        from jsonb_array_elements(case when jsonb_typeof(t.metadata -> 'segments') = 'array' then t.metadata -> 'segments' else '[]' end) x) s
      where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready') w on true
  where c.company_id = company and c.id = any(calls)
  on conflict (company_id, call_id) do update set number_id = excluded.number_id, started_at = excluded.started_at, party = excluded.party, words = excluded.words, agent = excluded.agent, client = excluded.client
$$;

-- Contacts' names are stored composed, however they were typed or exported. Only on contacts: on a table
-- with a generated unique key a trigger before updates makes every update take the strongest row lock.
create function compose_contact_names() returns trigger language plpgsql as $$
begin
  new.name := normalize(new.name, NFC);
  new.company_name := normalize(new.company_name, NFC);
  return new;
end $$;
create trigger compose_names before insert or update of name, company_name on contact
  for each row
  when (octet_length(new.name) <> length(new.name) or octet_length(new.company_name) <> length(new.company_name))
  execute function compose_contact_names();
