-- Calls that a language model read, counted when it has answered.
alter table usage_entry drop constraint usage_entry_component_check;
alter table usage_entry add constraint usage_entry_component_check check (component in (
  'numbers_local', 'numbers_toll_free', 'pool_numbers', 'voice_minutes',
  'voice_minutes_toll_free', 'outbound_minutes', 'text_credits', 'fax_pages',
  'transcription_minutes', 'caller_lookups', 'ai_calls'
));

create function note_reading_usage() returns trigger language plpgsql as $$
begin
  perform note_usage(new.company_id, 'ai_calls', 'reading:' || new.id, 1, null, null,
    coalesce(new.finished_at, clock_timestamp()));
  return null;
end $$;
create trigger usage_of_reading after update of state on call_reading
  for each row when (new.state = 'ready' and old.state <> 'ready')
  execute function note_reading_usage();
