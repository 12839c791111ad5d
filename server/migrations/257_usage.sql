-- What a company used: one row for each component and cause, written by the database in the
-- transaction of what caused it, so that no door can forget it and none can write it twice.
create table usage_entry (
  company_id bigint not null,
  id bigint not null default next_id(),
  component text not null
    check (component in (
      'numbers_local', 'numbers_toll_free', 'pool_numbers', 'voice_minutes',
      'voice_minutes_toll_free', 'outbound_minutes', 'text_credits', 'fax_pages',
      'transcription_minutes', 'caller_lookups'
    )),
  cause text not null check (length(cause) between 1 and 200),
  -- What is charged for: whole minutes, credits, pages; a number that is held or given up (-1).
  quantity int not null,
  -- What was really used, where that is time.
  seconds int,
  number_id bigint,
  at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, component, cause)
);
create index usage_entry_at on usage_entry (company_id, component, at);
select tenant_table('usage_entry');
revoke update, delete on usage_entry from trunkline_app, trunkline_system;
create trigger append_only before update or delete on usage_entry
  for each row execute function refuse_change_of_books();
create trigger append_only_truncate before truncate on usage_entry
  for each statement execute function refuse_change_of_books();

create function note_usage(company bigint, what text, why text, n int, secs int, number bigint,
  happened timestamptz
) returns void language sql as $$
  insert into usage_entry (company_id, component, cause, quantity, seconds, number_id, at)
    values (company, what, why, n, secs, number, happened)
    on conflict (company_id, component, cause) do nothing
$$;
create function is_toll_free(number text) returns boolean language sql immutable as $$
  select number ~ '^\+18(00|33|44|55|66|77|88)[0-9]{7}$'
$$;

-- The same minutes that a call shows: from the answer by a person or voicemail, rounded up.
create function note_call_usage() returns trigger language plpgsql as $$
declare secs int := case new.outcome when 1 then new.talk_seconds
    when 3 then greatest(0, new.duration_seconds - new.ring_seconds) else 0 end;
begin
  if secs > 0 then
    perform note_usage(new.company_id,
      case when new.outbound then 'outbound_minutes'
        when is_toll_free(new.to_number) then 'voice_minutes_toll_free' else 'voice_minutes' end,
      'call:' || new.id, ceil(secs / 60.0)::int, secs, new.number_id, new.ended_at);
  end if;
  return null;
end $$;
create trigger usage_of_call after update of ended_at on call
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function note_call_usage();

-- A caller who was forwarded to a phone: a second leg, which we place.
create function note_leg_usage() returns trigger language plpgsql as $$
declare secs int := ceil(extract(epoch from new.ended_at - new.answered_at))::int;
  forwarded record;
begin
  select c.number_id into forwarded from call c
    where c.company_id = new.company_id and c.id = new.call_id and not c.outbound;
  if found and secs > 0 then
    perform note_usage(new.company_id, 'outbound_minutes', 'leg:' || new.call_id || ':' || new.leg,
      ceil(secs / 60.0)::int, secs, forwarded.number_id, new.ended_at);
  end if;
  return null;
end $$;
create trigger usage_of_leg after update of ended_at on call_leg
  for each row when (
    old.ended_at is null and new.ended_at is not null and new.answered_at is not null
    and new.role = 'target' and new.user_id is null and new.target like '+%'
  )
  execute function note_leg_usage();

-- A text counts when its carrier took it: a credit for each segment, one more with pictures.
-- Campaigns count theirs below.
create function note_text_usage() returns trigger language plpgsql as $$
begin
  perform note_usage(new.company_id, 'text_credits', 'item:' || new.id,
    greatest(1, coalesce((new.details ->> 'segments')::int, 1)) +
      (jsonb_array_length(case jsonb_typeof(new.details -> 'media') when 'array'
        then new.details -> 'media' else '[]' end) > 0)::int,
    null, new.number_id, clock_timestamp());
  return null;
end $$;
create trigger usage_of_text after update of delivery_state on conversation_item
  for each row when (
    new.kind = 'message' and not new.is_inbound and new.source is null
    and new.delivery_state in ('sent', 'delivered', 'undelivered')
    and old.delivery_state in ('queued', 'sending', 'unknown', 'scheduled')
  )
  execute function note_text_usage();

create function note_campaign_usage() returns trigger language plpgsql as $$
begin
  insert into usage_entry (company_id, component, cause, quantity, number_id, at)
    select n.company_id, 'text_credits', 'recipient:' || n.id, greatest(1, coalesce(n.credits, 1)),
      c.number_id, clock_timestamp()
    from new_rows n join old_rows o on o.company_id = n.company_id and o.id = n.id
      join campaign c on c.company_id = n.company_id and c.id = n.campaign_id
    where n.state in ('sent', 'delivered', 'undelivered')
      and o.state not in ('sent', 'delivered', 'undelivered')
    on conflict (company_id, component, cause) do nothing;
  return null;
end $$;
create trigger usage_of_campaign after update on campaign_recipient
  referencing new table as new_rows old table as old_rows
  for each statement execute function note_campaign_usage();

create function note_transcription_usage() returns trigger language plpgsql as $$
declare secs int;
begin
  select ceil(r.duration_ms / 1000.0)::int into secs from recording r
    where r.company_id = new.company_id and r.id = new.recording_id;
  if secs > 0 then
    perform note_usage(new.company_id, 'transcription_minutes', 'transcription:' || new.id,
      ceil(secs / 60.0)::int, secs, null, coalesce(new.finished_at, clock_timestamp()));
  end if;
  return null;
end $$;
create trigger usage_of_transcription after update of state on transcription
  for each row when (new.state = 'ready' and old.state <> 'ready')
  execute function note_transcription_usage();

create function note_lookup_usage() returns trigger language plpgsql as $$
begin
  perform note_usage(new.company_id, 'caller_lookups', 'lookup:' || new.id, 1, null, null, new.at);
  return null;
end $$;
create trigger usage_of_lookup after insert on caller_lookup
  for each row when (new.billable) execute function note_lookup_usage();

create function note_fax_usage() returns trigger language plpgsql as $$
begin
  perform note_usage(new.company_id, 'fax_pages', 'fax:' || new.id, new.pages, null, new.number_id,
    coalesce(new.ended_at, clock_timestamp()));
  return null;
end $$;
create trigger usage_of_fax after update of state on fax
  for each row when (
    new.state in ('delivered', 'received') and new.state <> old.state and new.pages > 0
  )
  execute function note_fax_usage();

-- A number is held from the day it is bought or brought until it is released or leaves.
create function note_number_usage() returns trigger language plpgsql as $$
declare was boolean := tg_op <> 'INSERT' and old.status not in ('released', 'pending');
  now_held boolean := tg_op <> 'DELETE' and new.status not in ('released', 'pending');
begin
  if was and (not now_held or old.company_id <> new.company_id) then
    perform note_usage(old.company_id,
      case when is_toll_free(old.number) then 'numbers_toll_free' else 'numbers_local' end,
      'number:' || old.id || ':gone:' || txid_current(), -1, null, old.id, clock_timestamp());
  end if;
  if now_held and (not was or old.company_id <> new.company_id) then
    perform note_usage(new.company_id,
      case when is_toll_free(new.number) then 'numbers_toll_free' else 'numbers_local' end,
      'number:' || new.id || ':held:' || txid_current(), 1, null, new.id, clock_timestamp());
  end if;
  return null;
end $$;
create trigger usage_of_number after insert or delete on number
  for each row execute function note_number_usage();
create trigger usage_of_number_change after update on number
  for each row when (
    (old.status in ('released', 'pending')) <> (new.status in ('released', 'pending'))
    or old.company_id <> new.company_id
  )
  execute function note_number_usage();
insert into usage_entry (company_id, component, cause, quantity, number_id, at)
  select company_id,
    case when is_toll_free(number) then 'numbers_toll_free' else 'numbers_local' end,
    'number:' || id || ':held', 1, id, purchased_at
  from number where status not in ('released', 'pending');
