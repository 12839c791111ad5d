-- Erasing a person deletes what the timelines of numbers say of them.
create index concurrently number_event_party on number_event (company_id, (after ->> 'party'))
  where after ->> 'party' is not null;
