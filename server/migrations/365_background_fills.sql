-- Long work on rows that were there before a version: done in the background by small steps, after
-- the tables are up to date. A migration that needs one adds a function `fill_NAME(place, most)` and
-- a row here; a later one that begins with `-- Needs the fill NAME.` is refused until it is finished.
create table background_fill (
  name text primary key,
  -- Where the next step begins, as its function understands it; null: at the beginning.
  place text,
  -- About how many rows one step counts. Halved when a step fails.
  batch int not null,
  done bigint not null default 0,
  total bigint not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz,
  finished_at timestamptz,
  -- Why the last step failed; null: it didn't.
  error text
);
select global_table('background_fill');

-- Puts right the figures of a company's calls and texts from one full hour to before another; returns
-- how many calls and texts there are. One statement, so that all is read at one moment, and written as
-- differences: what is added up, comes or changes meanwhile is right with it.
create function recount_figures_of(company bigint, since timestamptz, before timestamptz)
returns bigint language plpgsql as $$
declare counted bigint;
begin
  with found as materialized (
    select number_id, date_bin('1 hour', started_at, 'epoch') as hour, count(*) calls,
      count(*) filter (where outcome = 1) answered, count(*) filter (where outcome = 2) missed,
      count(*) filter (where outcome = 3) voicemail, count(*) filter (where outcome = 4) blocked,
      count(*) filter (where first_contact) first_time, sum(talk_seconds)::bigint talk_seconds,
      coalesce(sum(talk_seconds) filter (where outcome = 1), 0)::bigint answered_talk_seconds,
      coalesce(sum(ring_seconds) filter (where outcome = 1), 0)::bigint answered_ring_seconds,
      count(*) filter (where qualified) qualified, count(*) filter (where lead) leads,
      0::bigint texts_in, 0::bigint texts_out
    from call where company_id = company and started_at >= since and started_at < before
      and not outbound group by 1, 2
    union all
    select number_id, date_bin('1 hour', created_at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      count(*) filter (where is_inbound), count(*) filter (where not is_inbound)
    from conversation_item where company_id = company and created_at >= since
      and created_at < before and kind = 'message' and deleted_at is null group by 1, 2),
  missing as (
    select case when part = 0 then number_id else 0 end number_id, hour, calls, answered, missed,
      voicemail, blocked, first_time, talk_seconds, answered_talk_seconds, answered_ring_seconds,
      qualified, leads, texts_in, texts_out
    from (
      select * from found
      union all
      select number_id, hour, -calls, -answered, -missed, -voicemail, -blocked, -first_time,
        -talk_seconds, -answered_talk_seconds, -answered_ring_seconds, -qualified, -leads,
        -texts_in, -texts_out
      from figure_change where company_id = company and hour >= since and hour < before) f
    cross join (values (0), (1)) parts (part)
    union all
    select number_id, hour, -calls, -answered, -missed, -voicemail, -blocked, -first_time,
      -talk_seconds, -answered_talk_seconds, -answered_ring_seconds, -qualified, -leads,
      -texts_in, -texts_out
    from figure_hour where company_id = company and hour >= since and hour < before),
  written as (
    insert into figure_hour as h (company_id, number_id, hour, calls, answered, missed, voicemail,
      blocked, first_time, talk_seconds, answered_talk_seconds, answered_ring_seconds, qualified,
      leads, texts_in, texts_out)
    select company, number_id, hour, sum(calls), sum(answered), sum(missed), sum(voicemail),
      sum(blocked), sum(first_time), sum(talk_seconds), sum(answered_talk_seconds),
      sum(answered_ring_seconds), sum(qualified), sum(leads), sum(texts_in), sum(texts_out)
    from missing group by 2, 3
    having row(sum(calls), sum(answered), sum(missed), sum(voicemail), sum(blocked),
      sum(first_time), sum(talk_seconds), sum(answered_talk_seconds), sum(answered_ring_seconds),
      sum(qualified), sum(leads), sum(texts_in), sum(texts_out))
      <> row(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    order by 2, 3
    on conflict (company_id, number_id, hour) do update set calls = h.calls + excluded.calls,
      answered = h.answered + excluded.answered, missed = h.missed + excluded.missed,
      voicemail = h.voicemail + excluded.voicemail, blocked = h.blocked + excluded.blocked,
      first_time = h.first_time + excluded.first_time,
      talk_seconds = h.talk_seconds + excluded.talk_seconds,
      answered_talk_seconds = h.answered_talk_seconds + excluded.answered_talk_seconds,
      answered_ring_seconds = h.answered_ring_seconds + excluded.answered_ring_seconds,
      qualified = h.qualified + excluded.qualified, leads = h.leads + excluded.leads,
      texts_in = h.texts_in + excluded.texts_in, texts_out = h.texts_out + excluded.texts_out)
  select coalesce(sum(calls + texts_in + texts_out), 0) into counted from found;
  return counted;
end $$;

-- The figures of calls and texts that were there before 172_figures.sql: company by company, the
-- newest first. The place is the company, and the hour before which nothing is counted yet.
create function fill_figures(place text, most int, out next text, out counted bigint)
language plpgsql as $$
declare company bigint; before timestamptz; since timestamptz;
begin
  company := coalesce(split_part(place, ' ', 1)::bigint, (select min(id) from company));
  before := coalesce(nullif(split_part(place, ' ', 2), '')::timestamptz, 'infinity');
  since := date_bin('1 hour', greatest(
    (select started_at from call where company_id = company and started_at < before
      order by started_at desc offset most limit 1),
    (select created_at from conversation_item where company_id = company and created_at < before
      order by created_at desc offset most limit 1)), 'epoch');
  counted := recount_figures_of(company, coalesce(since, '-infinity'), before);
  if since is null then next := (select min(id) from company c where c.id > company)::text;
  else next := format('%s %s', company, to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SSZ'));
  end if;
end $$;

-- Callers of calls that were there before 200_unique_callers.sql: a company at a time, since the gaps
-- of a caller depend on all of their calls. What was added up or noted of it until now is in there.
create function fill_callers(place text, most int, out next text, out counted bigint)
language plpgsql as $$
declare company bigint; seen_on date[]; before_on date[]; counts int[];
begin
  company := coalesce(place::bigint, (select min(id) from company));
  perform pg_advisory_xact_lock(hashtextextended('fold_callers', 110));
  delete from caller_gap where company_id = company;
  with gone as (delete from caller_change where company_id = company returning 1),
  calls as (
    select party, (started_at at time zone 'UTC')::date seen, count(*) n
    from call where company_id = company and not outbound group by 1, 2),
  gaps as (
    select seen, n, coalesce(lag(seen) over (partition by party order by seen), '-infinity') before
    from calls),
  sums as (select seen, before, count(*)::int n, sum(n) calls from gaps group by 1, 2)
  select array_agg(seen), array_agg(before), array_agg(n), coalesce(sum(calls), 0)
    into seen_on, before_on, counts, counted from sums;
  if seen_on is not null then
    perform add_caller_gaps(array_fill(company, array[cardinality(seen_on)]), seen_on, before_on,
      counts);
  end if;
  next := (select min(id) from company c where c.id > company)::text;
end $$;

-- Does the next step of the first fill that isn't finished. Its name; null: none is left, or another
-- process is at it.
create function step_background_fill() returns text language plpgsql as $$
declare fill background_fill; step record;
begin
  if not pg_try_advisory_xact_lock(7202) then return null; end if;
  select * into fill from background_fill where finished_at is null
    order by created_at, name limit 1 for update;
  if not found then return null; end if;
  execute format('select * from %I($1, $2)', 'fill_' || fill.name) into step
    using fill.place, fill.batch;
  update background_fill set place = step.next, done = done + step.counted, error = null,
      changed_at = clock_timestamp(),
      finished_at = case when step.next is null then clock_timestamp() end
    where name = fill.name;
  return fill.name;
end $$;

revoke execute on function recount_figures_of, fill_figures, fill_callers, step_background_fill
  from public;
grant execute on function recount_figures_of, fill_figures, fill_callers, step_background_fill
  to trunkline_system;

-- What 172_figures.sql and 200_unique_callers.sql left, where there was much of it.
do $$
declare rows bigint;
begin
  perform set_config('role', 'trunkline_system', true);
  if obj_description('figure_hour'::regclass) = 'older rows are missing' then
    select (select count(*) from call where not outbound) + (select count(*) from conversation_item
      where kind = 'message' and deleted_at is null) into rows;
    insert into background_fill (name, batch, total) values ('figures', 5000, rows);
  end if;
  if obj_description('caller_gap'::regclass) = 'older rows are missing' then
    select count(*) into rows from call where not outbound;
    insert into background_fill (name, batch, total) values ('callers', 5000, rows);
  end if;
  perform set_config('role', 'none', true);
end $$;
comment on table figure_hour is null;
comment on table caller_gap is null;
