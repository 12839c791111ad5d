-- What a call can be found by, one row a call: who called, its note and tags, and what was said (all of it, and each side alone).
-- Words are matched by their stems ('english'), so "appointments" finds "appointment". Kept up by triggers, so that no way
-- of changing a call can forget it.
create table call_words (
  company_id bigint not null, call_id bigint not null, number_id bigint not null, started_at timestamptz not null, party text not null,
  words tsvector not null, agent tsvector not null, client tsvector not null,
  primary key (company_id, call_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_words_words on call_words using gin (company_id, words);
create index call_words_party on call_words using gin (company_id, party gin_trgm_ops);
select tenant_table('call_words');

create function refresh_call_words(company bigint, calls bigint[]) returns void language sql as $$
  insert into call_words (company_id, call_id, number_id, started_at, party, words, agent, client)
  select c.company_id, c.id, c.number_id, c.started_at, c.party,
    to_tsvector('english', left(concat_ws(E'\n', c.caller_name, k.name, c.note,
      (select string_agg(t.name, E'\n') from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id where g.company_id = c.company_id and g.call_id = c.id), w.spoken), 600000)),
    to_tsvector('english', left(coalesce(w.agent, ''), 600000)), to_tsvector('english', left(coalesce(w.client, ''), 600000))
  from call c left join contact k on k.company_id = c.company_id and k.id = c.contact_id
    left join lateral (
      select string_agg(t.text, E'\n') spoken, string_agg(s.agent, E'\n') agent, string_agg(s.client, E'\n') client from transcription t
      cross join lateral (select string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '1') agent, string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '2') client
        from jsonb_array_elements(case when jsonb_typeof(t.metadata -> 'segments') = 'array' then t.metadata -> 'segments' else '[]' end) x) s
      where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready') w on true
  where c.company_id = company and c.id = any(calls)
  on conflict (company_id, call_id) do update set number_id = excluded.number_id, started_at = excluded.started_at, party = excluded.party, words = excluded.words, agent = excluded.agent, client = excluded.client
$$;

create function note_call_words() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'call' then perform refresh_call_words(new.company_id, array[new.id]);
  elsif tg_op = 'DELETE' then perform refresh_call_words(old.company_id, array[old.call_id]);
  else perform refresh_call_words(new.company_id, array[new.call_id]);
  end if;
  return null;
end $$;
create trigger call_words_of_call after insert on call for each row execute function note_call_words();
create trigger call_words_of_change after update on call for each row
  when (row(old.note, old.caller_name, old.contact_id, old.party, old.number_id, old.started_at) is distinct from row(new.note, new.caller_name, new.contact_id, new.party, new.number_id, new.started_at)) execute function note_call_words();
create trigger call_words_of_tag after insert or delete on call_tag for each row execute function note_call_words();
create trigger call_words_of_said after insert or update of state, text, metadata or delete on transcription for each row execute function note_call_words();
-- Somebody's name, or a tag's, changed: their calls are found by the new one.
create function note_names_of_calls() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'contact' then
    perform refresh_call_words(new.company_id, array(select c.id from call c where c.company_id = new.company_id and c.contact_id = new.id));
  else
    perform refresh_call_words(new.company_id, array(select g.call_id from call_tag g where g.company_id = new.company_id and g.tag_id = new.id));
  end if;
  return null;
end $$;
create trigger call_words_of_contact after update on contact for each row when (old.name is distinct from new.name) execute function note_names_of_calls();
create trigger call_words_of_tag_name after update on tag for each row when (old.name is distinct from new.name) execute function note_names_of_calls();

-- Row-level security forbids these indexes to anyone it binds (their operators are not leakproof), so the match runs as the
-- system role, for the one company the transaction is bound to. What is shown of the matches stays the caller's business.
-- `wanted`: [{ "text", "way": word | phrase | prefix | digits, "of": all | agent | client, "not": bool }].
create function calls_matching(company bigint, wanted jsonb, numbers bigint[], since timestamptz, before timestamptz)
returns table (call_id bigint, started_at timestamptz) language plpgsql stable rows 200 security definer set search_path = public, pg_temp as $$
declare
  term jsonb; q tsquery; what text := ''; said text;
begin
  if company is distinct from current_company() then return; end if;
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
  if what = '' then return; end if;
  return query execute 'with found as materialized (select w.call_id, w.started_at, w.number_id from call_words w where w.company_id = $1' || what || ')
    select found.call_id, found.started_at from found where ($2 is null or found.number_id = any($2)) and found.started_at >= $3 and found.started_at < $4' using company, numbers, since, before;
end $$;
grant create on schema public to trunkline_system;
alter function calls_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function calls_matching from public;
grant execute on function calls_matching to trunkline_app;

do $$ declare one record; begin
  set local role trunkline_system;
  for one in select company_id, array_agg(id) ids from call group by company_id loop perform refresh_call_words(one.company_id, one.ids); end loop;
  reset role;
end $$;
