-- Custom fields changed by a file (A8.8): one run in one company. The rows are kept as a file that the
-- job reads (one JSON list a line), beside what was uploaded.
create table field_update (
  company_id bigint not null,
  id bigint not null default next_id(),
  -- The run of an organization's file that this is a part of; null: of the company's own.
  organization_update_id uuid,
  file_name text not null,
  file_id bigint,
  rows_file_id bigint,
  entity_type_id smallint not null check (entity_type_id between 1 and 7),
  id_column text not null check (id_column in ('number', 'pool_id', 'entity_id')),
  headers text[] not null,
  state text not null default 'running'
    check (state in ('running', 'finished', 'failed', 'undoing', 'undone')),
  batch_id uuid not null,
  undo_batch_id uuid,
  changed int not null default 0,
  failure text,
  -- Values that the undo set back, and those that it left because they are others by now.
  restored int not null default 0,
  kept int not null default 0,
  created_by bigint,
  created_by_name text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id)
);
create index field_update_newest on field_update (company_id, created_at desc, id desc);
create index field_update_age on field_update (created_at);
create index field_update_organization on field_update (organization_update_id)
  where organization_update_id is not null;
select tenant_table('field_update');

-- What a row of the file changed: [{ id: field, from, to }], null where there was or is no value.
create table field_update_change (
  company_id bigint not null,
  update_id bigint not null,
  row_number int not null,
  entity_id bigint not null,
  changes jsonb not null,
  at timestamptz not null,
  primary key (company_id, update_id, row_number),
  foreign key (company_id, update_id) references field_update (company_id, id) on delete cascade
);
create index field_update_change_age on field_update_change (at);
select tenant_table('field_update_change');

-- A file for the companies of an organization. Rows of no company that its person administers are its
-- own errors: [{ row, field, message }].
create table organization_field_update (
  organization_id bigint not null references organization (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  file_name text not null,
  entity_type_id smallint not null check (entity_type_id between 1 and 7),
  row_count int not null,
  failed int not null,
  errors jsonb not null,
  created_by bigint,
  created_by_name text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index organization_field_update_newest
  on organization_field_update (organization_id, created_at desc);
create index organization_field_update_age on organization_field_update (created_at);
select global_table('organization_field_update');

-- Counts tracking pools, too.
create or replace function field_entities(company bigint, entity int) returns int language sql stable as $$
  select case entity
    when 1 then (select count(*)::int from number x where x.company_id = company and x.status <> 'released')
    when 2 then 1
    when 3 then (select count(*)::int from tracking_pool x where x.company_id = company)
    when 4 then (select count(c.organization_id)::int from company c where c.id = company)
    when 5 then (select count(*)::int from membership x where x.company_id = company and x.role <> 'deactivated')
    when 6 then (select count(*)::int from call x where x.company_id = company)
    when 7 then (select count(*)::int from contact x where x.company_id = company and x.deleted_at is null)
    else 0 end
$$;
