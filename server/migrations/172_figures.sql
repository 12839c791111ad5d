-- Figures of calls and texts by the hour (UTC, so that any time zone can be read and a change of
-- zone changes nothing), for each number and, as number 0, for the company. Triggers append what
-- changes in the transaction that changes it, so that two texts at once don't wait for each other;
-- a job adds the changes up. Both together are right in every snapshot.
create table figure_hour (
  company_id bigint not null,
  number_id bigint not null,
  hour timestamptz not null,
  calls int not null default 0,
  answered int not null default 0,
  missed int not null default 0,
  voicemail int not null default 0,
  blocked int not null default 0,
  first_time int not null default 0,
  talk_seconds bigint not null default 0,
  answered_talk_seconds bigint not null default 0,
  answered_ring_seconds bigint not null default 0,
  qualified int not null default 0,
  leads int not null default 0,
  texts_in int not null default 0,
  texts_out int not null default 0,
  primary key (company_id, number_id, hour) include (calls, answered, missed, voicemail, blocked,
    first_time, talk_seconds, answered_talk_seconds, answered_ring_seconds, qualified, leads,
    texts_in, texts_out)
);
select tenant_table('figure_hour');

create table figure_change (
  company_id bigint not null,
  id bigint not null generated always as identity,
  number_id bigint not null,
  hour timestamptz not null,
  calls int not null default 0,
  answered int not null default 0,
  missed int not null default 0,
  voicemail int not null default 0,
  blocked int not null default 0,
  first_time int not null default 0,
  talk_seconds bigint not null default 0,
  answered_talk_seconds bigint not null default 0,
  answered_ring_seconds bigint not null default 0,
  qualified int not null default 0,
  leads int not null default 0,
  texts_in int not null default 0,
  texts_out int not null default 0,
  primary key (company_id, id)
-- Rows stay for a minute: what they leave behind is cleared away as often.
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
select tenant_table('figure_change');

create function note_call_figures(way int, company bigint, number bigint, at timestamptz, ended int,
  first boolean, talk int, ring int, good boolean, lead boolean
) returns void language sql as $$
  insert into figure_change (company_id, number_id, hour, calls, answered, missed, voicemail,
      blocked, first_time, talk_seconds, answered_talk_seconds, answered_ring_seconds, qualified,
      leads)
    values (company, number, date_bin('1 hour', at, 'epoch'), way, way * (ended = 1)::int,
      way * (ended = 2)::int, way * (ended = 3)::int, way * (ended = 4)::int, way * first::int,
      way * talk, way * (ended = 1)::int * talk, way * (ended = 1)::int * ring, way * good::int,
      way * lead::int)
$$;
create function count_call() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not old.outbound then
    perform note_call_figures(-1, old.company_id, old.number_id, old.started_at, old.outcome,
      old.first_contact, old.talk_seconds, old.ring_seconds, old.qualified, old.lead);
  end if;
  if tg_op <> 'DELETE' and not new.outbound then
    perform note_call_figures(1, new.company_id, new.number_id, new.started_at, new.outcome,
      new.first_contact, new.talk_seconds, new.ring_seconds, new.qualified, new.lead);
  end if;
  return null;
end $$;
create trigger figures_of_call after insert or delete on call
  for each row execute function count_call();
create trigger figures_of_call_change after update on call
  for each row
  when (
    row(old.number_id, old.started_at, old.outbound, old.outcome, old.first_contact,
      old.talk_seconds, old.ring_seconds, old.qualified, old.lead)
    is distinct from
    row(new.number_id, new.started_at, new.outbound, new.outcome, new.first_contact,
      new.talk_seconds, new.ring_seconds, new.qualified, new.lead)
  )
  execute function count_call();

-- Texts come and go many in one statement, and are counted once a statement.
create function count_texts() returns trigger language plpgsql as $$
declare way int := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into figure_change (company_id, number_id, hour, texts_in, texts_out)
    select company_id, number_id, date_bin('1 hour', created_at, 'epoch'),
      way * count(*) filter (where is_inbound), way * count(*) filter (where not is_inbound)
    from moved where kind = 'message' and deleted_at is null
    group by company_id, number_id, date_bin('1 hour', created_at, 'epoch');
  return null;
end $$;
create trigger figures_of_texts after insert on conversation_item
  referencing new table as moved for each statement execute function count_texts();
create trigger figures_of_texts_gone after delete on conversation_item
  referencing old table as moved for each statement execute function count_texts();

-- Receipts change texts all the time, but not these columns: only a row that counts differently
-- comes here.
create function count_changed_text() returns trigger language plpgsql as $$
begin
  insert into figure_change (company_id, number_id, hour, texts_in, texts_out)
    select x.company_id, x.number_id, date_bin('1 hour', x.created_at, 'epoch'),
      x.way * x.is_inbound::int, x.way * (not x.is_inbound)::int
    from (values
      (-1, old.company_id, old.number_id, old.created_at, old.is_inbound, old.kind = 'message' and old.deleted_at is null),
      (1, new.company_id, new.number_id, new.created_at, new.is_inbound, new.kind = 'message' and new.deleted_at is null)
    ) x (way, company_id, number_id, created_at, is_inbound, counts)
    where x.counts;
  return null;
end $$;
create trigger figures_of_text_change after update on conversation_item
  for each row
  when (
    (old.kind = 'message' or new.kind = 'message') and
    row(old.number_id, old.created_at, old.is_inbound, old.kind, old.deleted_at is null)
    is distinct from
    row(new.number_id, new.created_at, new.is_inbound, new.kind, new.deleted_at is null)
  )
  execute function count_changed_text();

-- Adds up to `most` changes to their hours, for all companies; returns how many. Two of these at
-- once take different changes.
create function fold_figures(most int) returns int language plpgsql as $$
declare taken int;
begin
  with gone as materialized (
    delete from figure_change f using (
      select company_id, id from figure_change limit most for update skip locked) k
    where f.company_id = k.company_id and f.id = k.id returning f.*),
  counted as (select count(*) n from gone),
  sums as (
    select company_id, case when part = 0 then number_id else 0 end number_id, hour,
      sum(calls) calls, sum(answered) answered, sum(missed) missed, sum(voicemail) voicemail,
      sum(blocked) blocked, sum(first_time) first_time, sum(talk_seconds) talk_seconds,
      sum(answered_talk_seconds) answered_talk_seconds,
      sum(answered_ring_seconds) answered_ring_seconds, sum(qualified) qualified,
      sum(leads) leads, sum(texts_in) texts_in, sum(texts_out) texts_out
    from gone cross join (values (0), (1)) parts (part)
    group by 1, 2, 3),
  written as (
    insert into figure_hour as h (company_id, number_id, hour, calls, answered, missed, voicemail,
      blocked, first_time, talk_seconds, answered_talk_seconds, answered_ring_seconds, qualified,
      leads, texts_in, texts_out)
    -- In one order, so that two of these can't wait for each other.
    select * from sums order by company_id, number_id, hour
    on conflict (company_id, number_id, hour) do update set calls = h.calls + excluded.calls,
      answered = h.answered + excluded.answered, missed = h.missed + excluded.missed,
      voicemail = h.voicemail + excluded.voicemail, blocked = h.blocked + excluded.blocked,
      first_time = h.first_time + excluded.first_time,
      talk_seconds = h.talk_seconds + excluded.talk_seconds,
      answered_talk_seconds = h.answered_talk_seconds + excluded.answered_talk_seconds,
      answered_ring_seconds = h.answered_ring_seconds + excluded.answered_ring_seconds,
      qualified = h.qualified + excluded.qualified, leads = h.leads + excluded.leads,
      texts_in = h.texts_in + excluded.texts_in, texts_out = h.texts_out + excluded.texts_out
    returning 1)
  select n into taken from counted;
  return taken;
end $$;

-- Counts everything there is, for a database that was filled past the triggers.
create function recount_figures() returns void language sql as $$
  delete from figure_change;
  delete from figure_hour;
  with facts as (
    select company_id, number_id, date_bin('1 hour', started_at, 'epoch') as hour, count(*) calls,
      count(*) filter (where outcome = 1) answered, count(*) filter (where outcome = 2) missed,
      count(*) filter (where outcome = 3) voicemail, count(*) filter (where outcome = 4) blocked,
      count(*) filter (where first_contact) first_time, sum(talk_seconds) talk_seconds,
      coalesce(sum(talk_seconds) filter (where outcome = 1), 0) answered_talk_seconds,
      coalesce(sum(ring_seconds) filter (where outcome = 1), 0) answered_ring_seconds,
      count(*) filter (where qualified) qualified, count(*) filter (where lead) leads,
      0::bigint texts_in, 0::bigint texts_out
    from call where not outbound group by 1, 2, 3
    union all
    select company_id, number_id, date_bin('1 hour', created_at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, count(*) filter (where is_inbound), count(*) filter (where not is_inbound)
    from conversation_item where kind = 'message' and deleted_at is null group by 1, 2, 3)
  insert into figure_hour
    select company_id, case when part = 0 then number_id else 0 end, hour, sum(calls),
      sum(answered), sum(missed), sum(voicemail), sum(blocked), sum(first_time),
      sum(talk_seconds), sum(answered_talk_seconds), sum(answered_ring_seconds), sum(qualified),
      sum(leads), sum(texts_in), sum(texts_out)
    from facts cross join (values (1), (0)) parts (part)
    group by 1, 2, 3 order by 1, 2, 3
$$;
revoke execute on function fold_figures, recount_figures from public;
grant execute on function fold_figures, recount_figures to trunkline_system;
-- What is there is counted now where that takes a second. More would hold the upgrade and the tables:
-- 365_background_fills.sql has it counted afterwards.
set local role trunkline_system;
do $$ begin
  if (select count(*) from (select from call limit 20001) c)
    + (select count(*) from (select from conversation_item limit 20001) i) <= 20000 then
    perform recount_figures();
  else
    perform set_config('role', 'none', true);
    comment on table figure_hour is 'older rows are missing';
  end if;
end $$;
reset role;

-- What is unread is counted for every open page: from this index alone. Conversations with unread
-- items are few, but their rows are spread over the whole table.
create index concurrently conversation_unread on conversation (company_id, archived_at, number_id)
  include (unread_messages, unread_calls, unread_voicemails, unread_faxes, unread)
  where unread > 0 and deleted_at is null;
