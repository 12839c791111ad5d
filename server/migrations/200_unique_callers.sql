-- Unique callers of any period as a sum. Of each party that called: on which days (UTC), and how
-- long before it had called last. The unique callers of whole days are the calls of those days whose
-- party had not called on an earlier one of them: those with a gap that begins before the period.
-- Days and months, so that a year reads months and the days at its ends.
create table caller_gap (
  company_id bigint not null,
  -- Whether `seen` and `before` are months (their first day) or days.
  seen_month boolean not null,
  before_month boolean not null,
  seen date not null,
  -- The last time before; '-infinity', among the months: never.
  before date not null,
  parties int not null,
  primary key (company_id, seen_month, before_month, seen, before) include (parties)
);
select tenant_table('caller_gap');
create index caller_gap_empty on caller_gap (company_id) where parties = 0;

-- What changed since: noted in the transaction that changes a call, so that no call waits for
-- another, and added up by a job. A figure is the sum of both, right in every snapshot.
create table caller_change (
  company_id bigint not null,
  party text not null,
  id bigint not null generated always as identity,
  at timestamptz not null,
  way int not null,
  primary key (company_id, party, id)
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
select tenant_table('caller_change');

create function note_caller() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not old.outbound then
    insert into caller_change (company_id, party, at, way) values (old.company_id, old.party, old.started_at, -1);
  end if;
  if tg_op <> 'DELETE' and not new.outbound then
    insert into caller_change (company_id, party, at, way) values (new.company_id, new.party, new.started_at, 1);
  end if;
  return null;
end $$;
create trigger callers_of_call after insert or delete on call
  for each row execute function note_caller();
create trigger callers_of_call_change after update on call
  for each row
  when (row(old.party, old.started_at, old.outbound) is distinct from row(new.party, new.started_at, new.outbound))
  execute function note_caller();

-- When a party called, from the index alone.
create index concurrently call_party on call (company_id, party, started_at desc) include (outbound);

-- Adds the gaps to those that are counted: by day and by month, on both sides. Gaps within one day
-- or month are none.
create function add_caller_gaps(companies bigint[], seen_on date[], before_on date[], counts int[])
returns void language sql as $$
  insert into caller_gap as g (company_id, seen_month, before_month, seen, before, parties)
    select company, s.month, b.month, s.at, b.at, sum(n)
    from unnest(companies, seen_on, before_on, counts) gap (company, seen, before, n)
    cross join lateral (values (false, gap.seen), (true, date_trunc('month', gap.seen::timestamp)::date)) s (month, at)
    cross join lateral (values (false, gap.before), (true, date_trunc('month', gap.before::timestamp)::date)) b (month, at)
    where case when s.month or b.month then date_trunc('month', gap.before::timestamp) < date_trunc('month', gap.seen::timestamp) else gap.before < gap.seen end
      and (b.month or b.at > '-infinity')
    group by 1, 2, 3, 4, 5
    having sum(n) <> 0
    order by 1, 2, 3, 4, 5
  on conflict (company_id, seen_month, before_month, seen, before)
    do update set parties = g.parties + excluded.parties
$$;

-- Adds up the changes of up to `most` callers, of all companies; returns how many changes. Of each,
-- only the times between its neighbors of the changed ones are read.
create function fold_callers(most int) returns int language plpgsql as $$
declare
  taken int; companies bigint[]; seen_on date[]; before_on date[]; counts int[];
begin
  -- One at a time: a caller's gaps depend on all of its changes.
  perform pg_advisory_xact_lock(hashtextextended('fold_callers', 110));
  with who as (select distinct company_id, party from (select company_id, party from caller_change limit most) c),
  gone as materialized (
    delete from caller_change c using who
    where c.company_id = who.company_id and c.party = who.party returning c.*),
  net as (select company_id, party, at, sum(way) way from gone group by 1, 2, 3 having sum(way) <> 0),
  spans as materialized (
    select n.company_id, n.party, min(n.at) first, max(n.at) last from net n group by 1, 2),
  around as materialized (
    select s.*,
      (select c.started_at from call c where c.company_id = s.company_id and c.party = s.party
        and c.started_at < s.first and not c.outbound order by c.started_at desc limit 1) earlier,
      (select c.started_at from call c where c.company_id = s.company_id and c.party = s.party
        and c.started_at > s.last and not c.outbound order by c.started_at limit 1) later
    from spans s),
  times as (
    select a.company_id, a.party, c.started_at at, 1 n from around a cross join lateral (
      select started_at from call c where c.company_id = a.company_id and c.party = a.party
        and not c.outbound and c.started_at >= coalesce(a.earlier, a.first)
        and c.started_at <= coalesce(a.later, a.last) offset 0) c),
  -- As they are (1), and as they were (-1).
  states as (
    select 1 state, company_id, party, at from times
    union
    select -1, company_id, party, at from (
      select company_id, party, at, n from times union all select company_id, party, at, -way from net) x
    group by company_id, party, at having sum(n) > 0),
  gaps as (
    select state, s.company_id, (at at time zone 'UTC')::date seen, a.earlier is not null and at = a.earlier is_earlier,
      coalesce((lag(at) over (partition by state, s.company_id, s.party order by at) at time zone 'UTC')::date, '-infinity') before
    from states s join around a on a.company_id = s.company_id and a.party = s.party),
  sums as (
    select company_id, seen, before, sum(state)::int n from gaps
    where not is_earlier and before < seen group by 1, 2, 3 having sum(state) <> 0)
  select (select count(*) from gone), array_agg(company_id), array_agg(seen), array_agg(before), array_agg(n)
    into taken, companies, seen_on, before_on, counts from sums;
  if companies is not null then
    perform add_caller_gaps(companies, seen_on, before_on, counts);
    delete from caller_gap where parties = 0;
  end if;
  return taken;
end $$;

-- Counts everything there is, for a database that was filled past the triggers.
create function recount_callers() returns void language sql as $$
  delete from caller_change;
  delete from caller_gap;
  with days as (
    select company_id, party, (started_at at time zone 'UTC')::date seen from call where not outbound group by 1, 2, 3),
  gaps as (
    select company_id, seen, coalesce(lag(seen) over (partition by company_id, party order by seen), '-infinity') before from days),
  sums as (select company_id, seen, before, count(*)::int n from gaps group by 1, 2, 3)
  select add_caller_gaps(array_agg(company_id), array_agg(seen), array_agg(before), array_agg(n)) from sums
$$;
revoke execute on function add_caller_gaps, fold_callers, recount_callers from public;
grant execute on function add_caller_gaps, fold_callers, recount_callers to trunkline_system;
-- As in 172_figures.sql: many are counted afterwards.
set local role trunkline_system;
do $$ begin
  if (select count(*) from (select from call limit 20001) c) <= 20000 then
    perform recount_callers();
  else
    perform set_config('role', 'none', true);
    comment on table caller_gap is 'older rows are missing';
  end if;
end $$;
reset role;
