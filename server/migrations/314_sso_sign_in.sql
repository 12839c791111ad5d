-- Who a person is at the provider of an organization. Issuer and subject name them there for good.
create table sso_identity (
  organization_id bigint not null references organization (id) on delete cascade,
  person_id bigint not null references person (id) on delete cascade,
  issuer text not null,
  subject text not null,
  email text not null,
  -- The person signed in as before to link it. Null: the proven domain was enough.
  confirmed_at timestamptz,
  -- By company, the role that their groups gave them last: {"12": "user"}.
  given jsonb not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (organization_id, person_id),
  unique (organization_id, issuer, subject)
);
create index sso_identity_person on sso_identity (person_id);
select global_table('sso_identity');

-- What people who come through the provider get, by group; without one: everyone who is new.
create table sso_access (
  organization_id bigint not null references organization (id) on delete cascade,
  position int not null,
  group_name text,
  company_id bigint not null references company (id) on delete cascade,
  role text not null check (role in ('administrator', 'billing', 'reporting', 'user')),
  -- Empty: all.
  number_ids bigint[] not null default '{}',
  primary key (organization_id, position)
);
create index sso_access_company on sso_access (company_id);
select global_table('sso_access');

-- A visit to the provider of an organization, and the groups that it named.
alter table external_sign_in
  add column organization_id bigint references organization (id) on delete cascade,
  add column groups text[];

-- The organization through whose provider a session began. Without a reference: a session outlives it.
alter table session add column sso_organization_id bigint;
alter table pending_sign_in add column sso_organization_id bigint;
