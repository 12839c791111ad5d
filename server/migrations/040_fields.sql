-- Fields and tags. After companies, though the module stands before: every company's table refers to
-- its company.

-- Names are unique in a company, ignoring case. A deleted tag keeps its links for 30 days, so that
-- it can be restored whole.
create table tag (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 50),
  name_key text not null generated always as (lower(name)) stored,
  color text not null,
  scope text not null default 'company' check (scope in ('company', 'organization')),
  created_by bigint,
  created_at timestamptz not null default now(),
  organization_tag_id bigint,
  deleted_at timestamptz,
  primary key (company_id, id)
);
create unique index tag_name on tag (company_id, name_key) where deleted_at is null;
create index tag_deleted on tag (deleted_at) where deleted_at is not null;
select tenant_table('tag');

-- Custom fields of a company's objects. Entity types: 1 number, 2 company, 3 tracking pool, 4
-- organization, 5 user, 6 call, 7 contact.
create table field (
  company_id bigint not null,
  id bigint not null default next_id(),
  entity_type_id smallint not null check (entity_type_id between 1 and 7 and entity_type_id <> 4),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'),
  name text not null check (length(name) between 1 and 80),
  description text not null default '',
  type text not null
    check (type in ('boolean', 'date', 'enum', 'number', 'phone', 'stringText', 'stringKeyword')),
  choices jsonb not null default '[]',
  default_value jsonb,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  is_visible_in_list boolean not null default false,
  is_filterable boolean not null default true,
  ai jsonb not null default '{}',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, entity_type_id, key)
);
select tenant_table('field');

-- A company's own choices, default or description of its organization's field; null: the
-- organization's.
create table field_override (
  company_id bigint not null,
  id bigint not null default next_id(),
  field_id bigint not null,
  description text,
  default_value jsonb,
  has_default boolean not null default false,
  choices jsonb,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, field_id)
);
select tenant_table('field_override');

-- One value of one object. Exactly one of the five columns holds it, by the type of the field, so
-- that filters compare as that type does.
create table field_value (
  company_id bigint not null,
  entity_type_id smallint not null,
  entity_id bigint not null,
  field_id bigint not null,
  text_value text,
  number_value numeric,
  date_value date,
  boolean_value boolean,
  choice_id bigint,
  source text not null default 'user' check (source in ('user', 'ai', 'import', 'api')),
  reason text,
  confidence real,
  updated_at timestamptz not null,
  updated_by bigint,
  primary key (company_id, entity_type_id, entity_id, field_id),
  check (num_nonnulls(text_value, number_value, date_value, boolean_value, choice_id) = 1)
);
create index field_value_text on field_value (company_id, field_id, lower(left(text_value, 255)))
  where text_value is not null;
create index field_value_number on field_value (company_id, field_id, number_value)
  where number_value is not null;
create index field_value_date on field_value (company_id, field_id, date_value)
  where date_value is not null;
create index field_value_boolean on field_value (company_id, field_id, boolean_value)
  where boolean_value is not null;
create index field_value_choice on field_value (company_id, field_id, choice_id)
  where choice_id is not null;
select tenant_table('field_value');

-- Changes of the definitions.
create table field_history (
  company_id bigint not null,
  id bigint not null default next_id(),
  field_id bigint not null,
  at timestamptz not null,
  actor_id bigint,
  actor_name text not null,
  action text not null,
  detail text not null default '',
  before jsonb,
  after jsonb,
  primary key (company_id, id)
);
create index field_history_field on field_history (company_id, field_id, id desc);
select tenant_table('field_history');

-- Makes a table readable and writable in transactions of the companies of its organization.
create function organization_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy organization on %I to trunkline_app using (organization_id = (select c.organization_id from company c where c.id = current_company())) with check (organization_id = (select c.organization_id from company c where c.id = current_company()))', name);
  execute format('create policy system on %I to trunkline_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to trunkline_app, trunkline_system', name);
end $$;

-- Fields that an organization gives to all its companies; those of entity type 4 describe the
-- organization itself.
create table organization_field (
  organization_id bigint not null references organization (id) on delete cascade,
  id bigint not null default next_id(),
  entity_type_id smallint not null check (entity_type_id between 1 and 7),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'),
  name text not null check (length(name) between 1 and 80),
  description text not null default '',
  type text not null
    check (type in ('boolean', 'date', 'enum', 'number', 'phone', 'stringText', 'stringKeyword')),
  choices jsonb not null default '[]',
  default_value jsonb,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  is_visible_in_list boolean not null default false,
  is_filterable boolean not null default true,
  ai jsonb not null default '{}',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, entity_type_id, key)
);
select organization_table('organization_field');

-- Values of an organization's own fields; all its companies see them.
create table organization_field_value (
  organization_id bigint not null references organization (id) on delete cascade,
  field_id bigint not null,
  text_value text,
  number_value numeric,
  date_value date,
  boolean_value boolean,
  choice_id bigint,
  source text not null default 'user' check (source in ('user', 'ai', 'import', 'api')),
  reason text,
  confidence real,
  updated_at timestamptz not null,
  updated_by bigint,
  primary key (organization_id, field_id),
  check (num_nonnulls(text_value, number_value, date_value, boolean_value, choice_id) = 1)
);
select organization_table('organization_field_value');

-- Tags that an organization gives to all its companies; each company has its own row of them in
-- `tag`, which links name.
create table organization_tag (
  organization_id bigint not null references organization (id) on delete cascade,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 50),
  name_key text not null generated always as (lower(name)) stored,
  color text not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, name_key)
);
select organization_table('organization_tag');

-- Saved columns of a list. `columns`: [{ key, width, pinned, order, hidden }].
create table column_preset (
  company_id bigint not null,
  id bigint not null default next_id(),
  user_id bigint not null,
  entity text not null
    check (entity in (
      'calls', 'messages', 'numbers', 'contacts', 'campaigns', 'voicemails', 'fax', 'users',
      'templates'
    )),
  name text not null check (length(name) between 1 and 60),
  columns jsonb not null,
  sort jsonb,
  filters jsonb,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index column_preset_name on column_preset (company_id, user_id, entity, lower(name));
create index column_preset_shared on column_preset (company_id, entity) where shared;
select tenant_table('column_preset');

-- The preset that a person's list opens with: their own or a shared one.
create table column_preset_default (
  company_id bigint not null,
  user_id bigint not null,
  entity text not null,
  preset_id bigint not null,
  primary key (company_id, user_id, entity),
  foreign key (company_id, preset_id) references column_preset (company_id, id) on delete cascade
);
select tenant_table('column_preset_default');
