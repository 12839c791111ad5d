-- A company that statistics don't know has one row to the planner, and every index that begins with the company looks
-- alike (docs/decisions/0050). So tables are looked at once a minute for companies with many rows that their statistics
-- don't know (server/src/platform/statistics.ts).

-- Refreshes the statistics of the first table by name after `after` that don't know a company with many rows: 200, and a
-- thousandth of the table, which no sample overlooks. Its name, or null when there is none.
create function analyze_next_table(after text)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one record;
  known bigint[];
  companies real;
  has_unknown boolean;
begin
  for one in
    select c.relname::text as name, greatest(200, c.reltuples / 1000)::int as many
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname > after order by c.relname
  loop
    known := '{}';
    select coalesce(s.most_common_vals::text::bigint[], '{}'), s.n_distinct into known, companies
      from pg_stats s where s.schemaname = 'public' and s.tablename = one.name and s.attname = 'company_id';
    if not found then known := '{}'; end if;
    -- Statistics that list only some companies estimate the others by their mean.
    continue when found and (companies > cardinality(known) or cardinality(known) >= 100);
    -- Each company of the table is one look into its index.
    execute format('with recursive present as (
        select (select min(company_id) from %1$I) as id
        union all
        select (select min(t.company_id) from %1$I t where t.company_id > p.id) from present p where p.id is not null)
      select exists (select from present p where p.id is not null and p.id <> all($1)
        and (select count(*) from (select from %1$I t where t.company_id = p.id limit $2) x) = $2)', one.name)
      into has_unknown using known, one.many;
    if has_unknown then
      execute format('analyze (skip_locked) %I', one.name);
      return one.name;
    end if;
  end loop;
  return null;
end $$;
revoke execute on function analyze_next_table from public;
grant execute on function analyze_next_table to trunkline_system;
