-- Records in simulated Salesforce orgs.
create table sandbox.salesforce_record (
  id bigint primary key default next_id(),
  org text not null,
  type text not null check (type in ('Lead', 'Contact', 'Task', 'Case')),
  fields jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index salesforce_record_age on sandbox.salesforce_record (created_at);
create index salesforce_record_org on sandbox.salesforce_record (org, type, created_at);
grant select, insert, update, delete on sandbox.salesforce_record to trunkline_system;
