-- Numbers by a part of their words or digits. Behind row-level security the planner may not use a trigram index (decision 29), so a
-- function of the system role answers which numbers may match, `most` at most; the list asks its own conditions of those.
-- The parts are held apart by a character that nobody types.
create index number_search on number using gin (company_id, lower(label || chr(31) || city || chr(31) || coalesce(vanity_text, '') || chr(31) || number) gin_trgm_ops) where status <> 'released';
create function numbers_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select n.id from number n where n.company_id = company and company = current_company() and n.status <> 'released'
    and lower(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '') || chr(31) || n.number) like pattern limit most)
  union (select n.id from number n where digits is not null and n.company_id = company and company = current_company() and n.status <> 'released'
    and lower(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '') || chr(31) || n.number) like digits limit most)
  limit most
$$;
grant create on schema public to trunkline_system;
alter function numbers_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function numbers_matching from public;
grant execute on function numbers_matching to trunkline_app;
