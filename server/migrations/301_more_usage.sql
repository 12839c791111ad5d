-- What else is counted: numbers of pools and for faxes apart from others, pictures, fees of
-- registrations, in cents. What a company stores is added up when it is asked.
alter table usage_entry drop constraint usage_entry_component_check;
alter table usage_entry add constraint usage_entry_component_check check (component in (
  'numbers_local', 'numbers_toll_free', 'numbers_fax', 'pool_numbers', 'voice_minutes',
  'voice_minutes_toll_free', 'outbound_minutes', 'text_credits', 'mms', 'fax_pages',
  'transcription_minutes', 'caller_lookups', 'ai_calls', 'sms_registration_fee'
));

-- As what a number is charged. A toll-free one costs its carrier the same wherever it is used.
create function number_component(n number) returns text language sql immutable as $$
  select case when is_toll_free(n.number) then 'numbers_toll_free'
    when n.dni_pool_id is not null then 'pool_numbers'
    when n.category = 3 then 'numbers_fax' else 'numbers_local' end
$$;
create or replace function note_number_usage() returns trigger language plpgsql as $$
declare was text := case when tg_op <> 'INSERT' and old.status not in ('released', 'pending')
    then number_component(old) end;
  becomes text := case when tg_op <> 'DELETE' and new.status not in ('released', 'pending')
    then number_component(new) end;
begin
  if was = becomes and old.company_id = new.company_id then return null; end if;
  if was is not null then
    perform note_usage(old.company_id, was, 'number:' || old.id || ':gone:' || next_id(), -1, null,
      old.id, clock_timestamp());
  end if;
  if becomes is not null then
    perform note_usage(new.company_id, becomes, 'number:' || new.id || ':held:' || next_id(), 1,
      null, new.id, clock_timestamp());
  end if;
  return null;
end $$;
drop trigger usage_of_number_change on number;
create trigger usage_of_number_change after update of status, company_id, dni_pool_id, category
  on number for each row execute function note_number_usage();
insert into usage_entry (company_id, component, cause, quantity, number_id, at)
  select n.company_id, e.component, 'number:' || n.id || ':as:' || e.component, e.quantity, n.id,
    clock_timestamp()
  from number n,
    lateral (values ('numbers_local', -1), (number_component(n), 1)) e(component, quantity)
  where n.status not in ('released', 'pending')
    and number_component(n) in ('pool_numbers', 'numbers_fax');

-- A text with pictures is counted beside its credits, which include them.
create or replace function note_text_usage() returns trigger language plpgsql as $$
declare pictures boolean := jsonb_array_length(case jsonb_typeof(new.details -> 'media')
    when 'array' then new.details -> 'media' else '[]' end) > 0;
begin
  perform note_usage(new.company_id, 'text_credits', 'item:' || new.id,
    greatest(1, coalesce((new.details ->> 'segments')::int, 1)) + pictures::int, null,
    new.number_id, clock_timestamp());
  if pictures then
    perform note_usage(new.company_id, 'mms', 'item:' || new.id, 1, null, new.number_id,
      clock_timestamp());
  end if;
  return null;
end $$;
create or replace function note_campaign_usage() returns trigger language plpgsql as $$
begin
  insert into usage_entry (company_id, component, cause, quantity, number_id, at)
    select n.company_id, e.component, 'recipient:' || n.id, e.quantity, c.number_id,
      clock_timestamp()
    from new_rows n join old_rows o on o.company_id = n.company_id and o.id = n.id
      join campaign c on c.company_id = n.company_id and c.id = n.campaign_id,
      lateral (values ('text_credits', greatest(1, coalesce(n.credits, 1))),
        ('mms', (c.media <> '[]')::int)) e(component, quantity)
    where n.state in ('sent', 'delivered', 'undelivered')
      and o.state not in ('sent', 'delivered', 'undelivered') and e.quantity > 0
    on conflict (company_id, component, cause) do nothing;
  return null;
end $$;

create index concurrently file_storage on file (company_id) include (bytes) where deleted_at is null;
