-- How a receiver names what it was sent: people, calls and texts, so that each is made there once.
create table delivered_record (
  company_id bigint not null,
  destination_id bigint not null,
  -- Keyed hash of what it is.
  key text not null,
  external_id text not null,
  updated_at timestamptz not null,
  primary key (company_id, destination_id, key),
  foreign key (company_id, destination_id) references destination (company_id, id) on delete cascade
);
select tenant_table('delivered_record');
create index delivered_record_age on delivered_record (updated_at);

-- skipped: the receiver was asked, and the configuration leaves it out.
alter table delivery drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('queued', 'failed', 'sent', 'dead', 'skipped'));
