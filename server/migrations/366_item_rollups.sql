-- Texts, voicemails and faxes added up by the company's days and months, as calls are
-- (319_call_rollups.sql): triggers note what changes in the transaction that changes it, a job adds the
-- notes up, and both together are right in every snapshot.
create table item_rollup_company (
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
select tenant_table('item_rollup_company');

create table item_rollup (
  company_id bigint not null,
  edition int not null,
  -- 1 texts, 2 voicemails, 3 faxes.
  kind smallint not null,
  -- By what: 0 nothing, 1 number, 2 person, 3 hour of the day, 4 whether it is a campaign's text.
  dimension smallint not null,
  by_month boolean not null,
  -- Of a month: its first.
  day date not null,
  -- The number or person, the hour, or 1 for a campaign's. Of a person 0: of none.
  key bigint not null,
  inbound int not null,
  outbound int not null,
  primary key (company_id, edition, kind, dimension, by_month, day, key)
-- Sums change in their place.
) with (fillfactor = 80);
select tenant_table('item_rollup');

-- Items of a quarter of an hour that came or (negative) went. No zone's day or hour begins within one.
create table item_rollup_change (
  company_id bigint not null,
  id bigint not null generated always as identity,
  kind smallint not null,
  quarter timestamptz not null,
  number_id bigint not null,
  actor_id bigint,
  of_campaign boolean not null,
  inbound int not null,
  outbound int not null,
  primary key (company_id, id)
-- Rows stay for a minute: what they leave behind is cleared away as often.
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
select tenant_table('item_rollup_change');

-- What an item counts as. Null: it isn't counted.
create function item_rollup_kind(kind text) returns smallint language sql immutable as $$
  select case kind when 'message' then 1::smallint when 'voicemail' then 2::smallint
    when 'fax' then 3::smallint end
$$;
create function is_of_campaign(source text) returns boolean language sql immutable as $$
  select coalesce(source, '') like 'campaign:%'
$$;

-- Texts come and go many in one statement, and are noted once a statement.
create function note_item_rollups() returns trigger language plpgsql as $$
declare way int := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into item_rollup_change (company_id, kind, quarter, number_id, actor_id, of_campaign, inbound,
      outbound)
    select company_id, item_rollup_kind(kind), date_bin('15 minutes', created_at, 'epoch'),
      number_id, actor_id, is_of_campaign(source), way * count(*) filter (where is_inbound),
      way * count(*) filter (where not is_inbound)
    from moved where item_rollup_kind(kind) is not null and deleted_at is null
    group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger rollup_of_items after insert on conversation_item
  referencing new table as moved for each statement execute function note_item_rollups();
create trigger rollup_of_items_gone after delete on conversation_item
  referencing old table as moved for each statement execute function note_item_rollups();

-- Receipts change texts all the time, but not these columns: only a row that counts differently
-- comes here.
create function note_changed_item() returns trigger language plpgsql as $$
begin
  insert into item_rollup_change (company_id, kind, quarter, number_id, actor_id, of_campaign, inbound,
      outbound)
    select x.company_id, x.kind, date_bin('15 minutes', x.created_at, 'epoch'), x.number_id,
      x.actor_id, is_of_campaign(x.source), x.way * x.is_inbound::int,
      x.way * (not x.is_inbound)::int
    from (values
      (-1, old.company_id, item_rollup_kind(old.kind), old.created_at, old.number_id, old.actor_id,
        old.source, old.is_inbound, old.deleted_at),
      (1, new.company_id, item_rollup_kind(new.kind), new.created_at, new.number_id, new.actor_id,
        new.source, new.is_inbound, new.deleted_at)
    ) x (way, company_id, kind, created_at, number_id, actor_id, source, is_inbound, deleted_at)
    where x.kind is not null and x.deleted_at is null;
  return null;
end $$;
create trigger rollup_of_item_change after update on conversation_item
  for each row
  when (
    row(old.number_id, old.created_at, old.actor_id, old.is_inbound, old.kind, old.source,
      old.deleted_at is null)
    is distinct from
    row(new.number_id, new.created_at, new.actor_id, new.is_inbound, new.kind, new.source,
      new.deleted_at is null)
  )
  execute function note_changed_item();

-- A new company has no texts: all of them are counted.
create function bring_item_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into item_rollup_company (company_id, timezone, counted_from)
    values (new.id, new.timezone, '-infinity');
  return null;
end $$;
create trigger bring_item_rollup after insert on company
  for each row execute function bring_item_rollup();
-- Other days: everything is counted again, unless nothing ever was.
create function renew_item_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update item_rollup_company set timezone = new.timezone, edition = edition + 1,
      checking_before = null, counted_from = case when
        exists (select from conversation_item i where i.company_id = new.id)
        or exists (select from item_rollup_change c where c.company_id = new.id)
        or exists (select from item_rollup r where r.company_id = new.id)
        then 'infinity'::date else '-infinity' end
    where company_id = new.id;
  return null;
end $$;
create trigger renew_item_rollup after update of timezone on company
  for each row when (old.timezone is distinct from new.timezone)
  execute function renew_item_rollup();
create function take_item_rollup()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from item_rollup_change where company_id = old.id;
  delete from item_rollup where company_id = old.id;
  delete from item_rollup_company where company_id = old.id;
  return old;
end $$;
create trigger take_item_rollup before delete on company
  for each row execute function take_item_rollup();

-- The rows that items count in, but for those by month.
create function item_rollup_keys(number_id bigint, actor_id bigint, of_campaign boolean,
  moment timestamp
) returns table (dimension smallint, key bigint) language sql immutable as $$
  values (0::smallint, 0::bigint), (1::smallint, number_id), (2::smallint, coalesce(actor_id, 0)),
    (3::smallint, extract(hour from moment)::bigint), (4::smallint, of_campaign::int::bigint)
$$;

-- What a company's changes that aren't added up yet come to by one dimension.
create function pending_item_rollup(company bigint, of smallint, by smallint, zone text)
returns table (day date, key bigint, inbound int, outbound int) language sql stable as $$
  select moment::date, k.key, inbound, outbound
  from item_rollup_change cross join lateral (select quarter at time zone zone moment) m
  cross join lateral item_rollup_keys(number_id, actor_id, of_campaign, moment) k
  where company_id = company and kind = of and k.dimension = by
$$;

-- What a company's items of a part of a day come to by one dimension: so that a period that ends at a
-- time of day reads its whole days from the sums.
create function counted_item_rollup(company bigint, of smallint, by smallint, zone text,
  first timestamptz, until timestamptz
) returns table (day date, key bigint, inbound int, outbound int) language sql stable as $$
  select moment::date, k.key, is_inbound::int, (not is_inbound)::int
  from conversation_item i cross join lateral (select created_at at time zone zone moment) m
  cross join lateral item_rollup_keys(number_id, actor_id, is_of_campaign(source), moment) k
  where company_id = company and created_at >= first and created_at < until
    and item_rollup_kind(i.kind) = of and deleted_at is null and k.dimension = by
$$;

-- Adds up to `most` changes to their days and months, for all companies; returns how many. Two of
-- these at once take different changes. A company that is being counted anew is left for later.
create function fold_item_rollups(most int) returns int language plpgsql as $$
declare taken int;
begin
  with due as materialized (
    select company_id, timezone, edition from item_rollup_company s
    where company_id in (
      select company_id from (select company_id from item_rollup_change limit most) c)
    for share skip locked),
  gone as materialized (
    delete from item_rollup_change f using (
      select company_id, id from item_rollup_change c
      where company_id in (select company_id from due) limit most for update skip locked) k
    where f.company_id = k.company_id and f.id = k.id returning f.*),
  counted as (select count(*) n from gone),
  days as (
    select company_id, edition, kind, k.dimension, moment::date as day, k.key,
      sum(inbound) inbound, sum(outbound) outbound
    from gone join due using (company_id)
    cross join lateral (select quarter at time zone timezone moment) m
    cross join lateral item_rollup_keys(number_id, actor_id, of_campaign, moment) k
    group by 1, 2, 3, 4, 5, 6),
  written as (
    insert into item_rollup as r (company_id, edition, kind, dimension, by_month, day, key, inbound,
      outbound)
    -- In one order, so that two of these can't wait for each other.
    select company_id, edition, kind, dimension, by_month,
      case when by_month then date_trunc('month', day::timestamp)::date else day end, key,
      sum(inbound), sum(outbound)
    from days cross join (values (false), (true)) level (by_month)
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (company_id, edition, kind, dimension, by_month, day, key)
    do update set inbound = r.inbound + excluded.inbound, outbound = r.outbound + excluded.outbound
    returning 1)
  select n into taken from counted;
  return taken;
end $$;

-- Counts the company's items of these days anew, from the first of a month to before one, and puts
-- right what differs; says how many sums did, and how many items there are. Nothing is added up
-- meanwhile, and what isn't yet is counted on both sides: what comes or changes at the same time isn't
-- missed.
create function recount_item_rollup(company bigint, from_day date, to_day date,
  out differing int, out counted bigint
) language plpgsql as $$
declare state item_rollup_company;
begin
  select * into state from item_rollup_company where company_id = company for no key update;
  -- The next statement sees all that was added up until the row was locked.
  with moments as (
    select from_day::timestamp - interval '1 day' a, to_day::timestamp + interval '1 day' b),
  found as materialized (
    select item_rollup_kind(i.kind) as kind, date_bin('15 minutes', created_at, 'epoch') quarter,
      number_id, actor_id, is_of_campaign(source) of_campaign,
      count(*) filter (where is_inbound) inbound, count(*) filter (where not is_inbound) outbound
    from conversation_item i, moments
    where i.company_id = company and created_at >= a at time zone state.timezone
      and created_at < b at time zone state.timezone
      and i.kind in ('message', 'voicemail', 'fax') and deleted_at is null
    group by 1, 2, 3, 4, 5),
  facts as (
    select kind, quarter at time zone state.timezone moment, number_id, actor_id, of_campaign,
      inbound, outbound from found
    union all
    select kind, quarter at time zone state.timezone, number_id, actor_id, of_campaign, -inbound,
      -outbound from item_rollup_change where company_id = company),
  days as (
    select kind, k.dimension, moment::date as day, k.key, sum(inbound) inbound,
      sum(outbound) outbound
    from facts cross join lateral item_rollup_keys(number_id, actor_id, of_campaign, moment) k
    where moment >= from_day and moment < to_day
    group by 1, 2, 3, 4),
  both_levels as (
    select kind, dimension, by_month,
      case when by_month then date_trunc('month', day::timestamp)::date else day end as day, key,
      inbound, outbound
    from days cross join (values (false), (true)) level (by_month)
    union all
    select kind, dimension, by_month, day, key, -inbound, -outbound from item_rollup
    -- Said so, the index is read for these days alone.
    where company_id = company and edition = state.edition and kind = any ('{1,2,3}')
      and dimension = any ('{0,1,2,3,4}') and by_month = any ('{f,t}')
      and day >= from_day and day < to_day),
  written as (
    insert into item_rollup as r (company_id, edition, kind, dimension, by_month, day, key, inbound,
      outbound)
    select company, state.edition, kind, dimension, by_month, day, key, sum(inbound), sum(outbound)
    from both_levels group by 3, 4, 5, 6, 7
    having row(sum(inbound), sum(outbound)) <> row(0, 0)
    on conflict (company_id, edition, kind, dimension, by_month, day, key)
    do update set inbound = r.inbound + excluded.inbound, outbound = r.outbound + excluded.outbound
    returning 1)
  select (select count(*) from written), (select coalesce(sum(inbound + outbound), 0) from found)
    into differing, counted;
end $$;

-- Where the month begins that has the company's newest item before a day; null: there is none.
create function month_of_item_before(company bigint, before date, zone text) returns date
language sql stable as $$
  select date_trunc('month', created_at at time zone zone)::date from conversation_item
  where company_id = company and created_at at time zone zone < before
    and created_at < (before::timestamp + interval '1 day') at time zone zone
    and kind in ('message', 'voicemail', 'fax') and deleted_at is null
  order by created_at desc limit 1
$$;

-- Counts one more month of a company that isn't counted yet, the newest first; returns how many items
-- it has, or null where no company is left. `again`: only companies that have another time zone.
create function fill_item_rollup(again boolean) returns bigint language plpgsql as $$
declare state item_rollup_company; month date; counted bigint;
begin
  select * into state from item_rollup_company
    where counted_from > '-infinity' and (edition > 1 or not again)
    order by company_id limit 1 for no key update skip locked;
  if not found then return null; end if;
  month := coalesce(month_of_item_before(state.company_id, state.counted_from, state.timezone),
    '-infinity');
  select r.counted into counted
    from recount_item_rollup(state.company_id, month, state.counted_from) r;
  update item_rollup_company set counted_from = month where company_id = state.company_id;
  return counted;
end $$;

-- The fill of items that were there before (365_background_fills.sql): months until about `most` items
-- are counted. How far it is stands with each company.
create function fill_items(place text, most int, out next text, out counted bigint)
language plpgsql as $$
declare n bigint := 0;
begin
  counted := 0;
  while n is not null and counted < most loop
    n := fill_item_rollup(false);
    counted := counted + coalesce(n, 0);
  end loop;
  next := (select min(company_id)::text from item_rollup_company where counted_from > '-infinity');
end $$;

-- Counts one more month of a company anew that wasn't since `since`; returns how many sums differed
-- and were put right, or null where no company is left.
create function check_item_rollup(since timestamptz, at timestamptz) returns int
language plpgsql as $$
declare state item_rollup_company; month date; before date; differing int;
begin
  select * into state from item_rollup_company
    where counted_from = '-infinity' and (checked_at is null or checked_at < since)
    order by company_id limit 1 for no key update skip locked;
  if not found then return null; end if;
  before := coalesce(state.checking_before, 'infinity');
  month := coalesce(month_of_item_before(state.company_id, before, state.timezone), '-infinity');
  select r.differing into differing from recount_item_rollup(state.company_id, month, before) r;
  update item_rollup_company set checking_before = nullif(month, '-infinity'),
      checked_at = case when month = '-infinity' then at else checked_at end,
      -- All of one night's, of whatever months.
      repaired = differing + case when differing = 0 or repaired_at >= since then repaired else 0 end,
      repaired_at = case when differing > 0 then at else repaired_at end
    where company_id = state.company_id;
  return differing;
end $$;

-- Deletes up to `most` sums of days that companies no longer have; returns how many.
create function clear_item_rollups(most int) returns int language sql as $$
  with gone as (
    delete from item_rollup r using (
      select r.company_id, r.edition, r.kind, r.dimension, r.by_month, r.day, r.key
      from item_rollup_company s join item_rollup r
        on r.company_id = s.company_id and r.edition < s.edition
      where s.edition > 1 limit most) k
    where r.company_id = k.company_id and r.edition = k.edition and r.kind = k.kind
      and r.dimension = k.dimension and r.by_month = k.by_month and r.day = k.day and r.key = k.key
    returning 1)
  select count(*)::int from gone
$$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function bring_item_rollup owner to trunkline_system;
alter function renew_item_rollup owner to trunkline_system;
alter function take_item_rollup owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function bring_item_rollup, renew_item_rollup, take_item_rollup from public;
revoke execute on function fold_item_rollups, recount_item_rollup, month_of_item_before,
  fill_item_rollup, fill_items, check_item_rollup, clear_item_rollups from public;
grant execute on function fold_item_rollups, recount_item_rollup, month_of_item_before,
  fill_item_rollup, fill_items, check_item_rollup, clear_item_rollups to trunkline_system;
set local role trunkline_system;
insert into item_rollup_company (company_id, timezone)
  select id, timezone from company;
reset role;
