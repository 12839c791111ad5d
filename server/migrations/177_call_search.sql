-- A word that thousands of calls have is met soon: those calls are looked for newest first, instead
-- of being listed and sorted all.
create index concurrently call_search_text_newest on call_search_text (company_id, started_at desc, call_id desc);

-- The terms of a search as conditions on `call_search_text w`; '' when none of them is a word.
create function call_search_condition(wanted jsonb) returns text
language plpgsql stable set search_path = public, pg_temp as $$
declare
  term jsonb; q tsquery; what text := ''; said text;
begin
  for term in select * from jsonb_array_elements(wanted) loop
    said := term ->> 'text';
    q := case term ->> 'way' when 'phrase' then phraseto_tsquery('english', said) when 'prefix' then to_tsquery('english', quote_literal(said) || ':*') else plainto_tsquery('english', said) end;
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

-- Up to `most` matches, in no order, through the index of words. Only bitmap scans are considered:
-- with a limit the planner would rather read everything for a word that nobody said.
drop function calls_matching;
create function calls_matching(
  company bigint, wanted jsonb, numbers bigint[], since timestamptz, before timestamptz, most int
)
returns table (call_id bigint, started_at timestamptz)
language plpgsql stable rows 200 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare what text := call_search_condition(wanted);
begin
  if company is distinct from current_company() or what = '' then return; end if;
  return query execute 'select w.call_id, w.started_at from call_search_text w where w.company_id = $1' || what || '
    and ($2 is null or w.number_id = any($2)) and w.started_at >= $3 and w.started_at < $4 limit $5' using company, numbers, since, before, most;
end $$;

-- The newest `most` matches, looked for in the order of time.
create function calls_newest(
  company bigint, wanted jsonb, numbers bigint[], since timestamptz, before timestamptz, most int
)
returns table (call_id bigint, started_at timestamptz)
language plpgsql stable rows 200 security definer
set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare what text := call_search_condition(wanted);
begin
  if company is distinct from current_company() or what = '' then return; end if;
  return query execute 'select w.call_id, w.started_at from call_search_text w where w.company_id = $1' || what || '
    and ($2 is null or w.number_id = any($2)) and w.started_at >= $3 and w.started_at < $4 order by w.started_at desc, w.call_id desc limit $5' using company, numbers, since, before, most;
end $$;

grant create on schema public to trunkline_system;
alter function calls_matching owner to trunkline_system;
alter function calls_newest owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function calls_matching, calls_newest from public;
grant execute on function calls_matching, calls_newest to trunkline_app;

-- A tag's or a contact's calls by ID, step by step.
create index concurrently call_tag_tag on call_tag (company_id, tag_id, call_id);
create index concurrently call_contact_id on call (company_id, contact_id, id) where contact_id is not null;

-- The name of a contact or a tag changed: their calls are found by the new one. A few at once; many
-- by a job, in steps, because no request may wait for them.
create or replace function note_names_of_calls() returns trigger language plpgsql as $$
declare few bigint[];
begin
  if tg_table_name = 'contact' then
    few := array(select c.id from call c where c.company_id = new.company_id and c.contact_id = new.id limit 51);
  else
    few := array(select g.call_id from call_tag g where g.company_id = new.company_id and g.tag_id = new.id limit 51);
  end if;
  if cardinality(few) <= 50 then
    perform refresh_call_words(new.company_id, few);
  else
    perform enqueue_job('calls.refreshNames', json_build_object('companyId', new.company_id, 'named', tg_table_name, 'id', new.id, 'after', 0), 'call-names-' || new.company_id, null, 25, 'call-names:' || new.company_id || ':' || tg_table_name || ':' || new.id, null);
  end if;
  return null;
end $$;

-- Contacts in the order of their creation, without their rows: what a late page skips.
create index concurrently contact_living on contact (company_id, id) where deleted_at is null;
-- With the name itself, so that the planner reads a page's order from the index alone.
create index concurrently contact_by_name on contact (company_id, lower(name), id) include (name)
  where deleted_at is null;
