-- Digits of a number share most of their trigrams with every other number of an area, so a trigram index reads nearly all of them.
-- Runs of four digits are ten times rarer; a part of three digits has its own.
create function digit_runs(digits text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(digits, place, size)), '{}') from generate_series(3, 4) size, generate_series(1, length(digits) - size + 1) place
$$;
create index number_search_digits on number using gin (company_id, digit_runs(substr(number, 2))) where status <> 'released';
drop function numbers_matching(bigint, text, text, int);
drop index number_search;
create index number_search on number using gin (company_id, lower(label || chr(31) || city || chr(31) || coalesce(vanity_text, '')) gin_trgm_ops) where status <> 'released';
-- Counting a company's numbers reads this and no rows.
create index number_listed on number (company_id) where status not in ('released', 'pending');
/* Which numbers may match, `most` at most; the list asks its own conditions of those (decision 29: row-level security turns such
   indexes off). `pattern` is of lower case, with its wildcards; `digits` has none, and at least three. In plpgsql, so that a
   connection plans each statement once. */
create function numbers_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language plpgsql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
begin
  if company is distinct from current_company() then return; end if;
  return query select n.id from number n where n.company_id = company and n.status <> 'released'
    and lower(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '')) like pattern limit most;
  if digits is not null then
    return query select n.id from number n where n.company_id = company and n.status <> 'released'
      and digit_runs(substr(n.number, 2)) @> (select array_agg(substr(digits, place, least(length(digits), 4))) from generate_series(1, greatest(1, length(digits) - 3)) place)
      and n.number like '%' || digits || '%' limit most;
  end if;
end
$$;
grant create on schema public to trunkline_system;
alter function numbers_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function numbers_matching from public;
grant execute on function numbers_matching to trunkline_app;
