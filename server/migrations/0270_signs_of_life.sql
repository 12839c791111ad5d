-- A process that died is known at once: it holds a lock of its own as long as it lives, and its connection ends with it. The pulse
-- is kept beside it for those who are merely cut off. `life`: the lock's number; null: one that has a pulse only.
alter table worker_pulse add column life int;
alter table campaign_dispatcher add column life int;

-- Has whoever pulsed with it lost its life: nobody holds its lock, and there was no pulse for a while either, in which one that
-- only lost its connection would have come back. After a start of the database everybody has time to.
create function life_is_over(life int, pulsed_at timestamptz) returns boolean language sql volatile set search_path = pg_catalog, pg_temp as $$
  select life is not null and pulsed_at < clock_timestamp() - interval '2.5 seconds' and pg_postmaster_start_time() < clock_timestamp() - interval '6 seconds'
    and not exists (select from pg_locks l where l.locktype = 'advisory' and l.classid = 7203 and l.objid = life::bigint::oid and l.objsubid = 2 and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database()))
$$;
grant execute on function life_is_over to trunkline_system;
