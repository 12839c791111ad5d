-- Companies, numbers, pools, users and tags of an organization that are read together.
create table data_group (
  organization_id bigint not null references organization (id) on delete cascade,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  description text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, name_key)
);
select organization_table('data_group');

-- What a group holds. Without a reference to the thing itself: what was deleted, or went with its
-- company, is skipped when the group is read.
create table data_group_entity (
  organization_id bigint not null,
  group_id bigint not null,
  type text not null check (type in ('company', 'number', 'dniPool', 'user', 'tag')),
  entity_id bigint not null,
  primary key (organization_id, group_id, type, entity_id),
  foreign key (organization_id, group_id) references data_group (organization_id, id)
    on delete cascade
);
select organization_table('data_group_entity');
