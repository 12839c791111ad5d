-- General settings that were set: of a company, of an organization (its companies inherit them), or,
-- with neither, of the installation. `company.settings`, `timezone` and `links_enabled` are the
-- effective copy that everything reads.
create table setting_value (
  company_id bigint,
  organization_id bigint references organization (id) on delete cascade,
  key text not null check (key ~ '^[a-z][a-z0-9_.-]{0,79}$'),
  value jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint,
  unique nulls not distinct (company_id, organization_id, key),
  check (company_id is null or organization_id is null)
);
create index setting_value_organization on setting_value (organization_id)
  where organization_id is not null;
select tenant_table('setting_value');

-- What settings were before and after each change; null: not set there, so inherited.
create table setting_change (
  company_id bigint,
  organization_id bigint references organization (id) on delete cascade,
  id bigint not null default next_id(),
  key text not null,
  before jsonb,
  after jsonb,
  at timestamptz not null,
  by_id bigint,
  unique nulls not distinct (company_id, id)
);
create index setting_change_organization on setting_change (organization_id, id)
  where organization_id is not null;
select tenant_table('setting_change');

insert into setting_value (company_id, key, value, updated_at)
  select c.id, e.key, e.value, c.updated_at from company c, jsonb_each(c.settings) e
    where e.key <> 'simultaneous_calls' and e.key ~ '^[a-z][a-z0-9_]{0,79}$'
  union all
  select id, 'timezone', to_jsonb(timezone), updated_at from company where timezone <> 'UTC'
  union all
  select id, 'links_enabled', to_jsonb(true), updated_at from company where links_enabled;
