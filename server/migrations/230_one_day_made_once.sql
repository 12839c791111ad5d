-- Two processes that need the same new day at once: after the wait for the lock, `to_regclass` may
-- still remember that there was no such table; a query of the catalog sees what the other made.
create or replace function make_tracking_hit_day(day date)
returns void language plpgsql security definer set search_path = public, pg_temp
set lock_timeout = '3s' as $$
declare partition_name text := 'tracking_hit_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition_name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('tracking_hit_days', 0));
  if exists (select from pg_class
    where relname = partition_name and relnamespace = 'public'::regnamespace) then return; end if;
  execute format('create table %I (like tracking_hit including defaults including constraints)',
    partition_name);
  execute format('alter table tracking_hit attach partition %I for values from (%L) to (%L)',
    partition_name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;
