-- Calls added up by the company's days and months, so that a report on years doesn't read years of
-- calls. Triggers note what changes in the transaction that changes it, so that no call waits for
-- another; a job adds the changes up. Both together are right in every snapshot.
--
-- Of each company, whose days they are. A company that changes its time zone begins another edition,
-- and so do companies that were there before this table: their calls are counted by a job, month by
-- month, the newest first. Until then reports read the calls.
create table call_rollup_company (
  company_id bigint not null primary key,
  timezone text not null,
  edition int not null default 1,
  -- All days from here on are counted: 'infinity': none; '-infinity': all that there are.
  counted_from date not null default 'infinity',
  -- When all of it was last counted anew, and when and by how many sums that differed.
  checked_at timestamptz,
  repaired_at timestamptz,
  repaired int not null default 0,
  -- How far the present recount is: the months before this one are left.
  checking_before date
);
select tenant_table('call_rollup_company');

create table call_rollup (
  company_id bigint not null,
  edition int not null,
  -- By what: 0 nothing, 1 number, 2 person, 3 source, 4 campaign, 5 outcome, 6 hour of the day.
  dimension smallint not null,
  by_month boolean not null,
  -- Of a month: its first.
  day date not null,
  outbound boolean not null,
  -- '': calls without such a fact.
  key text not null,
  -- Of sources, whose calls say what they are called.
  label text not null,
  calls int not null,
  answered int not null,
  missed int not null,
  voicemail int not null,
  blocked int not null,
  first_time int not null,
  talk bigint not null,
  answered_talk bigint not null,
  answered_ring bigint not null,
  qualified int not null,
  leads int not null,
  value bigint not null,
  over_30 int not null,
  over_90 int not null,
  over_120 int not null,
  over_300 int not null,
  primary key (company_id, edition, dimension, by_month, day, outbound, key, label)
-- Sums change in their place.
) with (fillfactor = 80);
select tenant_table('call_rollup');

-- A call that came (1) or went (-1); one that changed has both.
create table call_rollup_change (
  company_id bigint not null,
  id bigint not null generated always as identity,
  way smallint not null,
  started_at timestamptz not null,
  number_id bigint not null,
  user_id bigint,
  outbound boolean not null,
  outcome smallint not null,
  source_key text,
  source_label text,
  campaign text,
  first_time boolean not null,
  qualified boolean not null,
  lead boolean not null,
  talk_seconds int not null,
  ring_seconds int not null,
  value_cents bigint,
  primary key (company_id, id)
-- Rows stay for a minute: what they leave behind is cleared away as often.
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
select tenant_table('call_rollup_change');

create function note_call_rollup() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into call_rollup_change (company_id, way, started_at, number_id, user_id, outbound,
        outcome, source_key, source_label, campaign, first_time, qualified, lead, talk_seconds,
        ring_seconds, value_cents)
      values (old.company_id, -1, old.started_at, old.number_id,
        coalesce(old.answered_user_id, old.placed_by), old.outbound, old.outcome,
        old.source ->> 'key', old.source ->> 'label', old.source ->> 'campaign', old.first_contact,
        old.qualified, old.lead, old.talk_seconds, old.ring_seconds, old.value_cents);
  end if;
  if tg_op <> 'DELETE' then
    insert into call_rollup_change (company_id, way, started_at, number_id, user_id, outbound,
        outcome, source_key, source_label, campaign, first_time, qualified, lead, talk_seconds,
        ring_seconds, value_cents)
      values (new.company_id, 1, new.started_at, new.number_id,
        coalesce(new.answered_user_id, new.placed_by), new.outbound, new.outcome,
        new.source ->> 'key', new.source ->> 'label', new.source ->> 'campaign', new.first_contact,
        new.qualified, new.lead, new.talk_seconds, new.ring_seconds, new.value_cents);
  end if;
  return null;
end $$;
create trigger rollup_of_call after insert or delete on call
  for each row execute function note_call_rollup();
create trigger rollup_of_call_change after update on call
  for each row
  when (
    row(old.number_id, old.started_at, old.answered_user_id, old.placed_by, old.outbound,
      old.outcome, old.source, old.first_contact, old.qualified, old.lead, old.talk_seconds,
      old.ring_seconds, old.value_cents)
    is distinct from
    row(new.number_id, new.started_at, new.answered_user_id, new.placed_by, new.outbound,
      new.outcome, new.source, new.first_contact, new.qualified, new.lead, new.talk_seconds,
      new.ring_seconds, new.value_cents)
  )
  execute function note_call_rollup();

-- A new company has no calls: all of them are counted.
create function bring_call_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into call_rollup_company (company_id, timezone, counted_from)
    values (new.id, new.timezone, '-infinity');
  return null;
end $$;
create trigger bring_call_rollup after insert on company
  for each row execute function bring_call_rollup();
-- Other days: everything is counted again, unless nothing ever was (a company gets its time zone just
-- after it is made). What was counted is deleted by a job.
create function renew_call_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update call_rollup_company set timezone = new.timezone, edition = edition + 1,
      checking_before = null, counted_from = case when
        exists (select from call c where c.company_id = new.id)
        or exists (select from call_rollup_change c where c.company_id = new.id)
        or exists (select from call_rollup r where r.company_id = new.id)
        then 'infinity'::date else '-infinity' end
    where company_id = new.id;
  return null;
end $$;
create trigger renew_call_rollup after update of timezone on company
  for each row when (old.timezone is distinct from new.timezone)
  execute function renew_call_rollup();
create function take_call_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from call_rollup_change where company_id = old.id;
  delete from call_rollup where company_id = old.id;
  delete from call_rollup_company where company_id = old.id;
  return old;
end $$;
create trigger take_call_rollup before delete on company
  for each row execute function take_call_rollup();

-- The rows that a call counts in, but for those by month.
create function call_rollup_keys(number_id bigint, user_id bigint, source_key text,
  source_label text, campaign text, outcome smallint, moment timestamp
) returns table (dimension smallint, key text, label text) language sql immutable as $$
  values (0::smallint, '', ''), (1::smallint, number_id::text, ''),
    (2::smallint, coalesce(user_id::text, ''), ''),
    (3::smallint, coalesce(source_key, ''), coalesce(source_label, '')),
    (4::smallint, coalesce(campaign, ''), ''), (5::smallint, outcome::text, ''),
    (6::smallint, extract(hour from moment)::int::text, '')
$$;

-- What a company's changes that aren't added up yet come to by one dimension.
create function pending_call_rollup(company bigint, by smallint, zone text) returns table (
  day date, outbound boolean, key text, label text,
  calls int, answered int, missed int, voicemail int, blocked int, first_time int, talk bigint,
  answered_talk bigint, answered_ring bigint, qualified int, leads int, value bigint, over_30 int,
  over_90 int, over_120 int, over_300 int
) language sql stable as $$
  select moment::date, outbound, k.key, k.label,
    way, way * (outcome = 1)::int, way * (outcome = 2)::int, way * (outcome = 3)::int,
    way * (outcome = 4)::int, way * first_time::int, way::bigint * talk_seconds,
    way::bigint * (outcome = 1)::int * talk_seconds,
    way::bigint * (outcome = 1)::int * ring_seconds, way * qualified::int, way * lead::int,
    way * coalesce(value_cents, 0), way * (talk_seconds > 30)::int,
    way * (talk_seconds > 90)::int, way * (talk_seconds > 120)::int,
    way * (talk_seconds > 300)::int
  from call_rollup_change cross join lateral (select started_at at time zone zone moment) m
  cross join lateral call_rollup_keys(number_id, user_id, source_key, source_label, campaign,
    outcome, moment) k
  where company_id = company and k.dimension = by
$$;

-- Adds up to `most` changes to their days and months, for all companies; returns how many. Two of
-- these at once take different changes. A company that is being counted anew is left for later.
create function fold_call_rollups(most int) returns int language plpgsql as $$
declare taken int;
begin
  with due as materialized (
    select company_id, timezone, edition from call_rollup_company s
    where company_id in (
      select company_id from (select company_id from call_rollup_change limit most) c)
    for share skip locked),
  gone as materialized (
    delete from call_rollup_change f using (
      select company_id, id from call_rollup_change c
      where company_id in (select company_id from due) limit most for update skip locked) k
    where f.company_id = k.company_id and f.id = k.id returning f.*),
  counted as (select count(*) n from gone),
  days as (
    select company_id, edition, dimension, day, outbound, key, label,
      sum(calls) calls, sum(answered) answered, sum(missed) missed, sum(voicemail) voicemail,
      sum(blocked) blocked, sum(first_time) first_time, sum(talk) talk,
      sum(answered_talk) answered_talk, sum(answered_ring) answered_ring,
      sum(qualified) qualified, sum(leads) leads, sum(value) value, sum(over_30) over_30,
      sum(over_90) over_90, sum(over_120) over_120, sum(over_300) over_300
    from (
      select company_id, edition, k.dimension, moment::date as day, outbound, k.key, k.label,
        way calls, way * (outcome = 1)::int answered, way * (outcome = 2)::int missed,
        way * (outcome = 3)::int voicemail, way * (outcome = 4)::int blocked,
        way * first_time::int first_time, way::bigint * talk_seconds talk,
        way::bigint * (outcome = 1)::int * talk_seconds answered_talk,
        way::bigint * (outcome = 1)::int * ring_seconds answered_ring,
        way * qualified::int qualified, way * lead::int leads,
        way * coalesce(value_cents, 0) value, way * (talk_seconds > 30)::int over_30,
        way * (talk_seconds > 90)::int over_90, way * (talk_seconds > 120)::int over_120,
        way * (talk_seconds > 300)::int over_300
      from gone join due using (company_id)
      cross join lateral (select started_at at time zone timezone moment) m
      cross join lateral call_rollup_keys(number_id, user_id, source_key, source_label, campaign,
        outcome, moment) k) f
    group by 1, 2, 3, 4, 5, 6, 7),
  written as (
    insert into call_rollup as r (company_id, edition, dimension, by_month, day, outbound, key,
      label, calls, answered, missed, voicemail, blocked, first_time, talk, answered_talk, answered_ring,
      qualified, leads, value, over_30, over_90, over_120, over_300)
    -- In one order, so that two of these can't wait for each other.
    select company_id, edition, dimension, by_month,
      case when by_month then date_trunc('month', day::timestamp)::date else day end, outbound, key,
      label, sum(calls) calls, sum(answered) answered, sum(missed) missed, sum(voicemail) voicemail,
      sum(blocked) blocked, sum(first_time) first_time, sum(talk) talk,
      sum(answered_talk) answered_talk, sum(answered_ring) answered_ring,
      sum(qualified) qualified, sum(leads) leads, sum(value) value, sum(over_30) over_30,
      sum(over_90) over_90, sum(over_120) over_120, sum(over_300) over_300
    from days cross join (values (false), (true)) level (by_month)
    group by 1, 2, 3, 4, 5, 6, 7, 8
    order by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (company_id, edition, dimension, by_month, day, outbound, key, label)
    do update set calls = r.calls + excluded.calls, answered = r.answered + excluded.answered,
      missed = r.missed + excluded.missed, voicemail = r.voicemail + excluded.voicemail,
      blocked = r.blocked + excluded.blocked, first_time = r.first_time + excluded.first_time,
      talk = r.talk + excluded.talk, answered_talk = r.answered_talk + excluded.answered_talk,
      answered_ring = r.answered_ring + excluded.answered_ring,
      qualified = r.qualified + excluded.qualified, leads = r.leads + excluded.leads,
      value = r.value + excluded.value, over_30 = r.over_30 + excluded.over_30,
      over_90 = r.over_90 + excluded.over_90, over_120 = r.over_120 + excluded.over_120,
      over_300 = r.over_300 + excluded.over_300
    returning 1)
  select n into taken from counted;
  return taken;
end $$;

-- Counts the company's calls of these days anew, from the first of a month to before one, and puts
-- right what differs; returns how many sums did. Nothing is added up meanwhile, and what isn't yet
-- is counted on both sides: calls that come or change at the same time aren't missed.
create function recount_call_rollup(company bigint, from_day date, to_day date) returns int
language plpgsql as $$
declare state call_rollup_company; differing int;
begin
  select * into state from call_rollup_company where company_id = company for no key update;
  -- The next statement sees all that was added up until the row was locked.
  with moments as (
    select from_day::timestamp - interval '1 day' a, to_day::timestamp + interval '1 day' b),
  facts as (
    select 1 way, c.started_at at time zone state.timezone moment, c.outbound, c.number_id,
      coalesce(c.answered_user_id, c.placed_by) user_id, c.outcome, c.source ->> 'key' source_key,
      c.source ->> 'label' source_label, c.source ->> 'campaign' campaign,
      c.first_contact first_time, c.qualified, c.lead, c.talk_seconds, c.ring_seconds, c.value_cents
    from call c, moments
    where c.company_id = company and c.started_at >= a at time zone state.timezone
      and c.started_at < b at time zone state.timezone
    union all
    select -way, started_at at time zone state.timezone, outbound, number_id, user_id, outcome,
      source_key, source_label, campaign, first_time, qualified, lead, talk_seconds, ring_seconds,
      value_cents
    from call_rollup_change where company_id = company),
  days as (
    select dimension, day, outbound, key, label,
      sum(calls) calls, sum(answered) answered, sum(missed) missed, sum(voicemail) voicemail,
      sum(blocked) blocked, sum(first_time) first_time, sum(talk) talk,
      sum(answered_talk) answered_talk, sum(answered_ring) answered_ring,
      sum(qualified) qualified, sum(leads) leads, sum(value) value, sum(over_30) over_30,
      sum(over_90) over_90, sum(over_120) over_120, sum(over_300) over_300
    from (
      select k.dimension, moment::date as day, outbound, k.key, k.label,
        way calls, way * (outcome = 1)::int answered, way * (outcome = 2)::int missed,
        way * (outcome = 3)::int voicemail, way * (outcome = 4)::int blocked,
        way * first_time::int first_time, way::bigint * talk_seconds talk,
        way::bigint * (outcome = 1)::int * talk_seconds answered_talk,
        way::bigint * (outcome = 1)::int * ring_seconds answered_ring,
        way * qualified::int qualified, way * lead::int leads,
        way * coalesce(value_cents, 0) value, way * (talk_seconds > 30)::int over_30,
        way * (talk_seconds > 90)::int over_90, way * (talk_seconds > 120)::int over_120,
        way * (talk_seconds > 300)::int over_300
      from facts cross join lateral call_rollup_keys(number_id, user_id, source_key, source_label,
        campaign, outcome, moment) k
      where moment >= from_day and moment < to_day) f
    group by 1, 2, 3, 4, 5),
  both_levels as (
    select dimension, by_month,
      case when by_month then date_trunc('month', day::timestamp)::date else day end as day,
      outbound, key, label,
      calls, answered, missed, voicemail, blocked, first_time, talk, answered_talk, answered_ring,
      qualified, leads, value, over_30, over_90, over_120, over_300
    from days cross join (values (false), (true)) level (by_month)
    union all
    select dimension, by_month, day, outbound, key, label,
      -calls, -answered, -missed, -voicemail, -blocked, -first_time, -talk, -answered_talk,
      -answered_ring, -qualified, -leads, -value, -over_30, -over_90, -over_120, -over_300
    from call_rollup
    -- Said so, the index is read for these days alone.
    where company_id = company and edition = state.edition
      and dimension = any ('{0,1,2,3,4,5,6}') and by_month = any ('{f,t}')
      and day >= from_day and day < to_day),
  written as (
    insert into call_rollup as r (company_id, edition, dimension, by_month, day, outbound, key,
      label, calls, answered, missed, voicemail, blocked, first_time, talk, answered_talk, answered_ring,
      qualified, leads, value, over_30, over_90, over_120, over_300)
    select company, state.edition, dimension, by_month, day, outbound, key, label,
      sum(calls) calls, sum(answered) answered, sum(missed) missed, sum(voicemail) voicemail,
      sum(blocked) blocked, sum(first_time) first_time, sum(talk) talk,
      sum(answered_talk) answered_talk, sum(answered_ring) answered_ring,
      sum(qualified) qualified, sum(leads) leads, sum(value) value, sum(over_30) over_30,
      sum(over_90) over_90, sum(over_120) over_120, sum(over_300) over_300
    from both_levels group by 3, 4, 5, 6, 7, 8
    having row(sum(calls), sum(answered), sum(missed), sum(voicemail), sum(blocked), sum(first_time),
      sum(talk), sum(answered_talk), sum(answered_ring), sum(qualified), sum(leads), sum(value),
      sum(over_30), sum(over_90), sum(over_120), sum(over_300))
      <> row(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (company_id, edition, dimension, by_month, day, outbound, key, label)
    do update set calls = r.calls + excluded.calls, answered = r.answered + excluded.answered,
      missed = r.missed + excluded.missed, voicemail = r.voicemail + excluded.voicemail,
      blocked = r.blocked + excluded.blocked, first_time = r.first_time + excluded.first_time,
      talk = r.talk + excluded.talk, answered_talk = r.answered_talk + excluded.answered_talk,
      answered_ring = r.answered_ring + excluded.answered_ring,
      qualified = r.qualified + excluded.qualified, leads = r.leads + excluded.leads,
      value = r.value + excluded.value, over_30 = r.over_30 + excluded.over_30,
      over_90 = r.over_90 + excluded.over_90, over_120 = r.over_120 + excluded.over_120,
      over_300 = r.over_300 + excluded.over_300
    returning 1)
  select count(*) into differing from written;
  return differing;
end $$;

-- Where the month begins that has the company's newest call before a day; null: there is none.
create function month_of_call_before(company bigint, before date, zone text) returns date
language sql stable as $$
  select date_trunc('month', started_at at time zone zone)::date from call
  where company_id = company and started_at at time zone zone < before
    and started_at < (before::timestamp + interval '1 day') at time zone zone
  order by started_at desc limit 1
$$;

-- Counts one more month of a company that isn't counted yet, the newest first; returns whether there
-- was one.
create function fill_call_rollup() returns boolean language plpgsql as $$
declare state call_rollup_company; month date;
begin
  select * into state from call_rollup_company where counted_from > '-infinity'
    order by company_id limit 1 for no key update skip locked;
  if not found then return false; end if;
  month := coalesce(month_of_call_before(state.company_id, state.counted_from, state.timezone),
    '-infinity');
  perform recount_call_rollup(state.company_id, month, state.counted_from);
  update call_rollup_company set counted_from = month where company_id = state.company_id;
  return true;
end $$;

-- Counts one more month of a company anew that wasn't since `since`; returns how many sums differed
-- and were put right, or null where no company is left.
create function check_call_rollup(since timestamptz, at timestamptz) returns int
language plpgsql as $$
declare state call_rollup_company; month date; differing int;
begin
  select * into state from call_rollup_company
    where counted_from = '-infinity' and (checked_at is null or checked_at < since)
    order by company_id limit 1 for no key update skip locked;
  if not found then return null; end if;
  month := coalesce(month_of_call_before(state.company_id,
    coalesce(state.checking_before, 'infinity'), state.timezone), '-infinity');
  differing := recount_call_rollup(state.company_id, month,
    coalesce(state.checking_before, 'infinity'));
  update call_rollup_company set checking_before = nullif(month, '-infinity'),
      checked_at = case when month = '-infinity' then at else checked_at end,
      repaired = case when differing > 0 then differing else repaired end,
      repaired_at = case when differing > 0 then at else repaired_at end
    where company_id = state.company_id;
  return differing;
end $$;

-- Deletes up to `most` sums of days that companies no longer have; returns how many.
create function clear_call_rollups(most int) returns int language sql as $$
  with gone as (
    delete from call_rollup r using (
      select r.company_id, r.edition, r.dimension, r.by_month, r.day, r.outbound, r.key, r.label
      from call_rollup_company s join call_rollup r
        on r.company_id = s.company_id and r.edition < s.edition
      where s.edition > 1 limit most) k
    where r.company_id = k.company_id and r.edition = k.edition and r.dimension = k.dimension
      and r.by_month = k.by_month and r.day = k.day and r.outbound = k.outbound and r.key = k.key
      and r.label = k.label
    returning 1)
  select count(*)::int from gone
$$;
-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function bring_call_rollup owner to trunkline_system;
alter function renew_call_rollup owner to trunkline_system;
alter function take_call_rollup owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function bring_call_rollup, renew_call_rollup, take_call_rollup from public;
revoke execute on function fold_call_rollups, recount_call_rollup, month_of_call_before,
  fill_call_rollup, check_call_rollup, clear_call_rollups from public;
grant execute on function fold_call_rollups, recount_call_rollup, month_of_call_before,
  fill_call_rollup, check_call_rollup, clear_call_rollups to trunkline_system;
set local role trunkline_system;
insert into call_rollup_company (company_id, timezone)
  select id, timezone from company;
reset role;
