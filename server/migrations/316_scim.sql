-- The token with which an organization's directory keeps its people up to date (SCIM 2.0).
create table scim_token (
  organization_id bigint primary key references organization (id) on delete cascade,
  hash text not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
select global_table('scim_token');

-- A person as the directory of an organization knows them.
create table scim_user (
  organization_id bigint not null references organization (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  person_id bigint not null references person (id) on delete cascade,
  user_name text not null,
  external_id text,
  active boolean not null default true,
  -- By company, the role that the directory gave last: {"12": "user"}.
  given jsonb not null default '{}',
  -- What a deactivation took, for the reactivation: {"roles": {"12": "user"}, "admin": true}.
  taken jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, person_id)
);
create unique index scim_user_name on scim_user (organization_id, lower(user_name));
create index scim_user_person on scim_user (person_id);
select global_table('scim_user');

create table scim_group (
  organization_id bigint not null references organization (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index scim_group_name on scim_group (organization_id, lower(display_name));
select global_table('scim_group');

create table scim_group_member (
  organization_id bigint not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references scim_group (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references scim_user (organization_id, id) on delete cascade
);
create index scim_group_member_user on scim_group_member (organization_id, user_id);
select global_table('scim_group_member');
