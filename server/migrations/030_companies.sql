-- Organizations are above companies, so only the system role sees them.
create table organization (
  id bigint primary key default next_id(),
  name text not null,
  slug text not null unique,
  owner_id bigint references person (id),
  created_at timestamptz not null default now()
);
select global_table('organization');

create table organization_admin (
  organization_id bigint not null references organization (id) on delete cascade,
  user_id bigint not null references person (id) on delete cascade,
  primary key (organization_id, user_id)
);
select global_table('organization_admin');

create table company (
  id bigint primary key default next_id(),
  organization_id bigint references organization (id),
  name text not null,
  slug text not null unique,
  status smallint not null default 0 check (status in (0, 1, 2)),
  phone text,
  email text,
  website text,
  industry text,
  timezone text not null default 'UTC',
  address jsonb not null default '{}',
  branding jsonb not null default '{}',
  billing_info jsonb not null default '{}',
  plan text not null default 'unlimited_monthly',
  links_enabled boolean not null default false,
  onboarded_at timestamptz,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table company enable row level security;
alter table company force row level security;
create policy company on company to trunkline_app
  using (id = current_company())
  with check (id = current_company());
create policy system on company to trunkline_system using (true) with check (true);
grant select, insert, update, delete on company to trunkline_app, trunkline_system;

-- Tables of the platform that belong to companies.
select tenant_table('file'), tenant_table('batch');

create table membership (
  company_id bigint not null,
  user_id bigint not null references person (id) on delete cascade,
  role text not null
    check (role in ('owner', 'administrator', 'billing', 'reporting', 'user', 'deactivated')),
  previous_role text,
  number_ids bigint[] not null default '{}',
  support_pin text not null default lpad((floor(random() * 1000000))::int::text, 6, '0'),
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (company_id, user_id)
);
create index membership_user on membership (user_id);
-- Exactly one owner per company, whatever the code believes.
create unique index membership_one_owner on membership (company_id) where role = 'owner';
select tenant_table('membership');

-- Append-only: nobody may change or remove a row. It outlives the company, so it has no foreign key
-- to it.
create table audit_log (
  company_id bigint not null,
  id bigint not null default next_id(),
  at timestamptz not null default now(),
  actor_id bigint,
  actor_kind text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  ip text,
  request_id text,
  primary key (company_id, id)
);
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy company_read on audit_log for select to trunkline_app
  using (company_id = current_company());
create policy company_write on audit_log for insert to trunkline_app
  with check (company_id = current_company());
create policy system on audit_log to trunkline_system using (true) with check (true);
grant select, insert on audit_log to trunkline_app, trunkline_system;
