-- Names and owners that come back from a CRM, never over what a person typed.

-- Which CRM wrote a contact's name, such as `hubspot`; `person`: it did, and someone changed that; null:
-- no CRM ever did, so what is there was typed, imported or sent.
alter table contact add column name_from text, add column company_name_from text;

-- Whoever changes a name without saying `trunkline.crm` is a person, whichever way it is written.
create function note_name_source() returns trigger language plpgsql as $$
declare
  crm text := nullif(current_setting('trunkline.crm', true), '');
begin
  if new.name is distinct from old.name then
    new.name_from := coalesce(crm, case when old.name_from is not null then 'person' end);
  end if;
  if new.company_name is distinct from old.company_name then
    new.company_name_from := coalesce(crm, case when old.company_name_from is not null then 'person' end);
  end if;
  return new;
end $$;
create trigger contact_name_source before update of name, company_name on contact for each row
  when (old.name is distinct from new.name or old.company_name is distinct from new.company_name)
  execute function note_name_source();

-- Who assigned a conversation last: a CRM by its name, or a `person`, also where no one has it since. Null:
-- no one has since this column is there.
alter table conversation add column assigned_from text;
create function note_assignment_source() returns trigger language plpgsql as $$
begin
  new.assigned_from := coalesce(nullif(current_setting('trunkline.crm', true), ''), 'person');
  return new;
end $$;
create trigger conversation_assignment_source before update of assigned_to on conversation for each row
  when (old.assigned_to is distinct from new.assigned_to)
  execute function note_assignment_source();

-- The record of a connected CRM that a contact is there, so that another one with the same number doesn't
-- give its name as well.
create table contact_crm_record (
  company_id bigint not null,
  contact_id bigint not null,
  connection_id bigint not null,
  provider text not null,
  -- The CRM's ID of the record.
  external_id text not null,
  -- Who owns the record there, as the CRM calls them; empty: no one.
  owner_name text not null default '',
  updated_at timestamptz not null,
  primary key (company_id, contact_id, connection_id),
  foreign key (company_id, contact_id) references contact (company_id, id) on delete cascade,
  foreign key (company_id, connection_id) references connection (company_id, id) on delete cascade
);
create index contact_crm_record_external
  on contact_crm_record (company_id, connection_id, external_id);
select tenant_table('contact_crm_record');

-- How far an account's changes were read, as its adapter says it, and when they are read next.
alter table oauth_integration
  add column read_cursor text,
  add column read_due_at timestamptz,
  add column read_at timestamptz,
  add column read_error text;
