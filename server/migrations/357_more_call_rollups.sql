-- Calls are added up by the caller's state, by tag, by phrase list and by sentiment, too, so that a
-- dashboard of a year reads no calls. A call keeps what it has of the last three in columns of its
-- own: then whatever changes them is a change of the call, and sums are kept right as before.
alter table call
  add column tag_ids bigint[],
  add column phrase_list_ids bigint[],
  -- Of its newest transcript. Null: none says it.
  add column sentiment text;
alter table call_rollup_change
  add column caller_state text,
  add column tag_ids bigint[],
  add column phrase_list_ids bigint[],
  add column sentiment text;
alter table call_rollup_company
  -- Calls from this moment on have those columns; a job sets them in older ones.
  add column known_from timestamptz not null default 'infinity',
  -- All days from here on are counted by state, tag, phrase list and sentiment.
  add column more_counted_from date not null default 'infinity';
comment on column call_rollup.dimension is
  '0 nothing, 1 number, 2 person, 3 source, 4 campaign, 5 outcome, 6 hour of the day, 7 state, 8 tag, 9 sentiment, 10 phrase list';

-- What a call has by other tables.
create function facts_of_call(company bigint, call bigint) returns table (
  tag_ids bigint[], phrase_list_ids bigint[], sentiment text
) language sql stable as $$
  select (select array_agg(t.tag_id order by t.tag_id) from call_tag t
      where t.company_id = company and t.call_id = call),
    (select array_agg(distinct h.list_id) from phrase_hit h
      where h.company_id = company and h.call_id = call),
    (select t.metadata #>> '{sentiment,overall}' from transcription t
      where t.company_id = company and t.call_id = call and t.state = 'ready'
      order by t.id desc limit 1)
$$;

-- Tells these calls what they have. Each is locked first: the next statement sees what others told
-- it meanwhile, and who changes it later waits and sees this.
create function tell_calls(company bigint, calls bigint[]) returns void language plpgsql as $$
begin
  perform from call where company_id = company and id = any(calls) order by id for no key update;
  update call c set tag_ids = f.tag_ids, phrase_list_ids = f.phrase_list_ids, sentiment = f.sentiment
    from call k cross join lateral facts_of_call(k.company_id, k.id) f
    where k.company_id = company and k.id = any(calls)
      and c.company_id = k.company_id and c.id = k.id
      and row(c.tag_ids, c.phrase_list_ids, c.sentiment)
        is distinct from row(f.tag_ids, f.phrase_list_ids, f.sentiment);
end $$;

create function tell_calls_of_rows() returns trigger language plpgsql as $$
declare company bigint; calls bigint[];
begin
  if tg_op = 'INSERT' then
    for company, calls in select company_id, array_agg(distinct call_id) from added group by 1 loop
      perform tell_calls(company, calls);
    end loop;
  elsif tg_op = 'DELETE' then
    for company, calls in select company_id, array_agg(distinct call_id) from gone group by 1 loop
      perform tell_calls(company, calls);
    end loop;
  else
    for company, calls in select company_id, array_agg(distinct call_id)
        from (select company_id, call_id from gone union select company_id, call_id from added) r
        group by 1 loop
      perform tell_calls(company, calls);
    end loop;
  end if;
  return null;
end $$;
create trigger call_told_of_new_tags after insert on call_tag
  referencing new table as added for each statement execute function tell_calls_of_rows();
create trigger call_told_of_lost_tags after delete on call_tag
  referencing old table as gone for each statement execute function tell_calls_of_rows();
create trigger call_told_of_changed_tags after update on call_tag
  referencing old table as gone new table as added
  for each statement execute function tell_calls_of_rows();
create trigger call_told_of_new_phrases after insert on phrase_hit
  referencing new table as added for each statement execute function tell_calls_of_rows();
create trigger call_told_of_lost_phrases after delete on phrase_hit
  referencing old table as gone for each statement execute function tell_calls_of_rows();
create trigger call_told_of_changed_phrases after update on phrase_hit
  referencing old table as gone new table as added
  for each statement execute function tell_calls_of_rows();

create function tell_call_of_transcript() returns trigger language plpgsql as $$
begin
  perform tell_calls(coalesce(new.company_id, old.company_id),
    array[coalesce(new.call_id, old.call_id)]);
  return null;
end $$;
create trigger call_told_of_new_transcript after insert on transcription
  for each row when (new.state = 'ready') execute function tell_call_of_transcript();
create trigger call_told_of_lost_transcript after delete on transcription
  for each row when (old.state = 'ready') execute function tell_call_of_transcript();
create trigger call_told_of_changed_transcript after update on transcription
  for each row
  when (
    row(old.state = 'ready', old.metadata #>> '{sentiment,overall}')
    is distinct from row(new.state = 'ready', new.metadata #>> '{sentiment,overall}')
  )
  execute function tell_call_of_transcript();

create or replace function note_call_rollup() returns trigger language plpgsql as $$
begin
  -- Calls that are told what they have before any sums know it: these are counted after that.
  if current_setting('app.tells_older_calls', true) = 'on' then return null; end if;
  if tg_op <> 'INSERT' then
    insert into call_rollup_change (company_id, way, started_at, number_id, user_id, outbound,
        outcome, source_key, source_label, campaign, first_time, qualified, lead, talk_seconds,
        ring_seconds, value_cents, caller_state, tag_ids,
        phrase_list_ids, sentiment)
      values (old.company_id, -1, old.started_at, old.number_id,
        coalesce(old.answered_user_id, old.placed_by), old.outbound, old.outcome,
        old.source ->> 'key', old.source ->> 'label', old.source ->> 'campaign', old.first_contact,
        old.qualified, old.lead, old.talk_seconds, old.ring_seconds, old.value_cents,
        old.caller_state, old.tag_ids, old.phrase_list_ids, old.sentiment);
  end if;
  if tg_op <> 'DELETE' then
    insert into call_rollup_change (company_id, way, started_at, number_id, user_id, outbound,
        outcome, source_key, source_label, campaign, first_time, qualified, lead, talk_seconds,
        ring_seconds, value_cents, caller_state, tag_ids,
        phrase_list_ids, sentiment)
      values (new.company_id, 1, new.started_at, new.number_id,
        coalesce(new.answered_user_id, new.placed_by), new.outbound, new.outcome,
        new.source ->> 'key', new.source ->> 'label', new.source ->> 'campaign', new.first_contact,
        new.qualified, new.lead, new.talk_seconds, new.ring_seconds, new.value_cents,
        new.caller_state, new.tag_ids, new.phrase_list_ids, new.sentiment);
  end if;
  return null;
end $$;
create or replace trigger rollup_of_call_change after update on call
  for each row
  when (
    row(old.number_id, old.started_at, old.answered_user_id, old.placed_by, old.outbound,
      old.outcome, old.source, old.first_contact, old.qualified, old.lead, old.talk_seconds,
      old.ring_seconds, old.value_cents, old.caller_state, old.tag_ids, old.phrase_list_ids,
      old.sentiment)
    is distinct from
    row(new.number_id, new.started_at, new.answered_user_id, new.placed_by, new.outbound,
      new.outcome, new.source, new.first_contact, new.qualified, new.lead, new.talk_seconds,
      new.ring_seconds, new.value_cents, new.caller_state, new.tag_ids, new.phrase_list_ids,
      new.sentiment)
  )
  execute function note_call_rollup();

create or replace function bring_call_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into call_rollup_company (company_id, timezone, counted_from, known_from, more_counted_from)
    values (new.id, new.timezone, '-infinity', '-infinity', '-infinity');
  return null;
end $$;
create or replace function renew_call_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update call_rollup_company set timezone = new.timezone, edition = edition + 1,
      checking_before = null,
      counted_from = s.starts, more_counted_from = s.starts
    from (select case when
        exists (select from call c where c.company_id = new.id)
        or exists (select from call_rollup_change c where c.company_id = new.id)
        or exists (select from call_rollup r where r.company_id = new.id)
        then 'infinity'::date else '-infinity' end starts) s
    where company_id = new.id;
  return null;
end $$;

-- The rows that a call counts in, but for those by month: one of each of its tags and phrase lists.
create function call_rollup_keys(number_id bigint, user_id bigint, source_key text,
  source_label text, campaign text, outcome smallint, moment timestamp, caller_state text,
  tag_ids bigint[], phrase_list_ids bigint[], sentiment text
) returns table (dimension smallint, key text, label text) language sql immutable as $$
  select * from (values (0::smallint, '', ''), (1::smallint, number_id::text, ''),
    (2::smallint, coalesce(user_id::text, ''), ''),
    (3::smallint, coalesce(source_key, ''), coalesce(source_label, '')),
    (4::smallint, coalesce(campaign, ''), ''), (5::smallint, outcome::text, ''),
    (6::smallint, extract(hour from moment)::int::text, ''), (7::smallint, coalesce(caller_state, ''), ''),
    (9::smallint, coalesce(sentiment, 'unknown'), '')) v
  union all
  select 8::smallint, coalesce(tag::text, ''), ''
    from unnest(coalesce(tag_ids, '{null}')) t (tag)
  union all
  select 10::smallint, coalesce(list::text, ''), ''
    from unnest(coalesce(phrase_list_ids, '{null}')) p (list)
$$;

create or replace function pending_call_rollup(company bigint, by smallint, zone text) returns table (
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
    outcome, moment, caller_state, tag_ids,
        phrase_list_ids, sentiment) k
  where company_id = company and k.dimension = by
$$;

create or replace function counted_call_rollup(company bigint, by smallint, zone text, first timestamptz,
  until timestamptz
) returns table (
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
  from (
    select 1 way, started_at at time zone zone moment, c.outbound, number_id,
      coalesce(answered_user_id, placed_by) user_id, outcome, c.source ->> 'key' source_key,
      c.source ->> 'label' source_label, c.source ->> 'campaign' campaign,
      first_contact first_time, qualified, lead, talk_seconds, ring_seconds, value_cents,
      caller_state, tag_ids, phrase_list_ids, sentiment
    from call c
    where company_id = company and started_at >= first and started_at < until) c
  cross join lateral call_rollup_keys(number_id, user_id, source_key, source_label, campaign,
    outcome, moment, caller_state, tag_ids,
        phrase_list_ids, sentiment) k
  where k.dimension = by
$$;

create or replace function fold_call_rollups(most int) returns int language plpgsql as $$
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
        outcome, moment, caller_state, tag_ids,
        phrase_list_ids, sentiment) k) f
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

create or replace function recount_call_rollup(company bigint, from_day date, to_day date) returns int
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
      c.first_contact first_time, c.qualified, c.lead, c.talk_seconds, c.ring_seconds, c.value_cents,
      c.caller_state, c.tag_ids, c.phrase_list_ids, c.sentiment
    from call c, moments
    where c.company_id = company and c.started_at >= a at time zone state.timezone
      and c.started_at < b at time zone state.timezone
    union all
    select -way, started_at at time zone state.timezone, outbound, number_id, user_id, outcome,
      source_key, source_label, campaign, first_time, qualified, lead, talk_seconds, ring_seconds,
      value_cents, caller_state, tag_ids, phrase_list_ids, sentiment
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
        campaign, outcome, moment, caller_state, tag_ids,
        phrase_list_ids, sentiment) k
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
      and dimension = any ('{0,1,2,3,4,5,6,7,8,9,10}') and by_month = any ('{f,t}')
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

drop function call_rollup_keys(bigint, bigint, text, text, text, smallint, timestamp);

-- Tells some of a company's calls what they have that don't know it yet, the newest first.
create function tell_older_calls(company bigint, before timestamptz) returns void
language plpgsql as $$
declare unaware bigint[]; since timestamptz;
begin
  with older as (
    select id, started_at, tag_ids, phrase_list_ids, sentiment from call
    where company_id = company and started_at < before
    order by started_at desc fetch first 2000 rows with ties)
  select min(started_at), array_agg(id) filter (where
      row(s.tag_ids, s.phrase_list_ids, s.sentiment)
        is distinct from row(f.tag_ids, f.phrase_list_ids, f.sentiment))
    into since, unaware
    from older s cross join lateral facts_of_call(company, s.id) f;
  perform set_config('app.tells_older_calls', 'on', true);
  if unaware is not null then perform tell_calls(company, unaware); end if;
  perform set_config('app.tells_older_calls', 'off', true);
  update call_rollup_company set known_from = coalesce(since, '-infinity')
    where company_id = company;
end $$;

-- Tells some more older calls what they have, or counts one more month of a company that isn't
-- counted yet, the newest first; returns whether there was something to do.
create or replace function fill_call_rollup() returns boolean language plpgsql as $$
declare state call_rollup_company; month date; before date;
begin
  select * into state from call_rollup_company
    where counted_from > '-infinity' or more_counted_from > '-infinity'
    order by company_id limit 1 for no key update skip locked;
  if not found then return false; end if;
  if state.known_from > '-infinity' then
    perform tell_older_calls(state.company_id, state.known_from);
    return true;
  end if;
  before := greatest(state.counted_from, state.more_counted_from);
  month := coalesce(month_of_call_before(state.company_id, before, state.timezone), '-infinity');
  perform recount_call_rollup(state.company_id, month, before);
  update call_rollup_company
    set counted_from = least(counted_from, month), more_counted_from = month
    where company_id = state.company_id;
  return true;
end $$;

-- Counts one more month of a company anew that wasn't since `since`; returns how many sums differed,
-- and calls that didn't know what they have, all put right, or null where no company is left.
create or replace function check_call_rollup(since timestamptz, at timestamptz) returns int
language plpgsql as $$
declare state call_rollup_company; month date; before date; differing int; unaware bigint[];
begin
  select * into state from call_rollup_company
    where counted_from = '-infinity' and more_counted_from = '-infinity'
      and (checked_at is null or checked_at < since)
    order by company_id limit 1 for no key update skip locked;
  if not found then return null; end if;
  before := coalesce(state.checking_before, 'infinity');
  month := coalesce(month_of_call_before(state.company_id, before, state.timezone), '-infinity');
  unaware := array(
    select c.id from call c cross join lateral facts_of_call(c.company_id, c.id) f
    where c.company_id = state.company_id
      and c.started_at >= month::timestamp at time zone state.timezone
      and c.started_at < before::timestamp at time zone state.timezone
      and row(c.tag_ids, c.phrase_list_ids, c.sentiment)
        is distinct from row(f.tag_ids, f.phrase_list_ids, f.sentiment));
  if cardinality(unaware) > 0 then perform tell_calls(state.company_id, unaware); end if;
  differing := cardinality(unaware) + recount_call_rollup(state.company_id, month, before);
  update call_rollup_company set checking_before = nullif(month, '-infinity'),
      checked_at = case when month = '-infinity' then at else checked_at end,
      repaired = case when differing > 0 then differing else repaired end,
      repaired_at = case when differing > 0 then at else repaired_at end
    where company_id = state.company_id;
  return differing;
end $$;

revoke execute on function tell_older_calls from public;
grant execute on function tell_older_calls to trunkline_system;
