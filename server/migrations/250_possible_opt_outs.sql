-- Texts that may ask for no more texts, by person and our number they wrote to. Until someone decides,
-- campaigns and automatic texts leave the person out. Kept by number like the opt-outs.
create table possible_opt_out (
  company_id bigint not null,
  party text not null,
  number_id bigint not null,
  -- The words, which become the proof of an opt-out.
  text text not null,
  noticed_at timestamptz not null,
  decision text check (decision in ('opted_out', 'kept')),
  decided_at timestamptz,
  -- Null: no user; the person opted out in another way.
  decided_by bigint,
  decided_by_name text,
  primary key (company_id, party, number_id),
  check ((decision is null) = (decided_at is null))
);
create index possible_opt_out_waiting on possible_opt_out (company_id, party) where decided_at is null;
select tenant_table('possible_opt_out');

-- Whichever way a person opts out, there is nothing left to decide.
create function opt_out_decides() returns trigger language plpgsql as $$
begin
  update possible_opt_out set decision = 'opted_out', decided_at = new.opted_out_at
    where company_id = new.company_id and party = new.number and decided_at is null;
  return null;
end $$;
create trigger decide_possible after insert on opt_out
  for each row execute function opt_out_decides();

-- Not validated: every old row has one of the old reasons, and the table can be large.
alter table campaign_recipient drop constraint campaign_recipient_skip_reason_check;
alter table campaign_recipient add constraint campaign_recipient_skip_reason_check
  check (skip_reason in (
    'unsubscribed', 'invalid', 'blocked', 'duplicate', 'recently_texted', 'deleted', 'canceled',
    'own_number', 'possible_opt_out'
  )) not valid;
