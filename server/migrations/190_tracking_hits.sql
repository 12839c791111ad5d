-- What is known of a visit besides where it came from. The address is cut before it is stored: the
-- last number of IPv4 and the last ten bytes of IPv6 are zero.
alter table tracking_visit
  add column ip text,
  -- As the proxy in front says (REGION_HEADER); null: it says nothing.
  add column region text,
  -- Values of the parameters and cookies that the pool captures: {"params": {…}, "cookies": {…}}.
  add column captured jsonb not null default '{}',
  -- All there were; of each the first fifty are stored.
  add column page_count int not null default 0,
  add column event_count int not null default 0;

-- Page views and custom events of visits. Partitions are days (UTC), so that old ones are dropped
-- and not deleted row by row. The key serves the hits of a visit in their order.
create table tracking_hit (
  company_id bigint not null,
  visit_id bigint not null,
  at timestamptz not null,
  id bigint not null default next_id(),
  pool_id bigint not null,
  kind text not null check (kind in ('pageview', 'event')),
  url text,
  title text,
  -- The source that this page alone would have made; null: that of its visit goes on.
  source_id bigint,
  source_key text,
  -- Of events.
  name text,
  data jsonb,
  ip text,
  region text,
  primary key (company_id, visit_id, at, id)
) partition by range (at);
select tenant_table('tracking_hit');

-- The partition of a day. Made as a table of its own that is then attached, because that doesn't
-- lock out those who are writing. Only the owner of a table may do this.
create function make_tracking_hit_day(day date)
returns void language plpgsql security definer set search_path = public, pg_temp
set lock_timeout = '3s' as $$
declare partition_name text := 'tracking_hit_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition_name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('tracking_hit_days', 0));
  if to_regclass(partition_name) is not null then return; end if;
  execute format('create table %I (like tracking_hit including defaults including constraints)',
    partition_name);
  execute format('alter table tracking_hit attach partition %I for values from (%L) to (%L)',
    partition_name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;
revoke execute on function make_tracking_hit_day from public;
grant execute on function make_tracking_hit_day to trunkline_system;

-- Drops the days that ended before `before`, and returns how many.
create function drop_tracking_hit_days(before timestamptz)
returns int language plpgsql security definer set search_path = public, pg_temp
set lock_timeout = '3s' as $$
declare
  old text;
  dropped int := 0;
begin
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'tracking_hit'::regclass and c.relname ~ '^tracking_hit_\d{8}$'
      and (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' <= before
    order by c.relname
  loop
    execute format('drop table %I', old);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_tracking_hit_days from public;
grant execute on function drop_tracking_hit_days to trunkline_system;

-- How many hits of a pool were counted (no reason) or not, by the hour: shown at the pool.
create table tracking_hit_count (
  company_id bigint not null,
  pool_id bigint not null,
  hour timestamptz not null,
  kind text not null,
  reason text not null,
  n int not null,
  primary key (company_id, pool_id, hour, kind, reason),
  foreign key (company_id, pool_id) references tracking_pool (company_id, id)
);
create index tracking_hit_count_age on tracking_hit_count (hour);
select tenant_table('tracking_hit_count');
