-- Custom fields (decisions A23): what a company, or an organization for all its companies, wants to know of its objects.
-- Entity types: 1 Number, 2 Company, 3 TrackingPool, 4 Organization, 5 User, 6 Call, 7 Contact.
create table field (
  company_id bigint not null, id bigint not null default next_id(), entity_type_id smallint not null check (entity_type_id between 1 and 7 and entity_type_id <> 4),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'), name text not null check (length(name) between 1 and 80), description text not null default '',
  type text not null check (type in ('boolean', 'date', 'enum', 'number', 'phone', 'stringText', 'stringKeyword')),
  choices jsonb not null default '[]', default_value jsonb, is_required boolean not null default false, is_unique boolean not null default false,
  is_visible_in_list boolean not null default false, is_filterable boolean not null default true, ai jsonb not null default '{}',
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, entity_type_id, key)
);
select tenant_table('field');

-- An organization's fields stand in all its companies; those of entity type 4 tell about the organization itself.
create table organization_field (
  organization_id bigint not null references organization (id) on delete cascade, id bigint not null default next_id(), entity_type_id smallint not null check (entity_type_id between 1 and 7),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'), name text not null check (length(name) between 1 and 80), description text not null default '',
  type text not null check (type in ('boolean', 'date', 'enum', 'number', 'phone', 'stringText', 'stringKeyword')),
  choices jsonb not null default '[]', default_value jsonb, is_required boolean not null default false, is_unique boolean not null default false,
  is_visible_in_list boolean not null default false, is_filterable boolean not null default true, ai jsonb not null default '{}',
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (organization_id, id), unique (organization_id, entity_type_id, key)
);

-- A company's own choices, default or description of its organization's field; null = the organization's.
create table field_override (
  company_id bigint not null, id bigint not null default next_id(), field_id bigint not null, description text, default_value jsonb, has_default boolean not null default false, choices jsonb,
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, field_id)
);
select tenant_table('field_override');

-- One value of one object. Exactly one of the five columns holds it, by the field's type, so that filters compare as the type does.
create table field_value (
  company_id bigint not null, entity_type_id smallint not null, entity_id bigint not null, field_id bigint not null,
  text_value text, number_value numeric, date_value date, boolean_value boolean, choice_id bigint,
  source text not null default 'user' check (source in ('user', 'ai', 'import', 'api')), reason text, confidence real, updated_at timestamptz not null, updated_by bigint,
  primary key (company_id, entity_type_id, entity_id, field_id), check (num_nonnulls(text_value, number_value, date_value, boolean_value, choice_id) = 1)
);
select tenant_table('field_value');
create index field_value_text on field_value (company_id, field_id, lower(left(text_value, 255))) where text_value is not null;
create index field_value_number on field_value (company_id, field_id, number_value) where number_value is not null;
create index field_value_date on field_value (company_id, field_id, date_value) where date_value is not null;
create index field_value_boolean on field_value (company_id, field_id, boolean_value) where boolean_value is not null;
create index field_value_choice on field_value (company_id, field_id, choice_id) where choice_id is not null;

-- The same of an organization: seen by all its companies.
create table organization_field_value (
  organization_id bigint not null references organization (id) on delete cascade, field_id bigint not null,
  text_value text, number_value numeric, date_value date, boolean_value boolean, choice_id bigint,
  source text not null default 'user' check (source in ('user', 'ai', 'import', 'api')), reason text, confidence real, updated_at timestamptz not null, updated_by bigint,
  primary key (organization_id, field_id), check (num_nonnulls(text_value, number_value, date_value, boolean_value, choice_id) = 1)
);

-- Tags an organization gives to all its companies; each company has its own row of it, which number and call links name.
create table organization_tag (
  organization_id bigint not null references organization (id) on delete cascade, id bigint not null default next_id(), name text not null check (length(name) between 1 and 50),
  name_key text not null generated always as (lower(name)) stored, color text not null, created_by bigint, created_at timestamptz not null default now(),
  primary key (organization_id, id), unique (organization_id, name_key)
);

-- What belongs to an organization is seen by the companies of that organization, and written only in a transaction of one of them.
create function organization_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy organization on %I to trunkline_app using (organization_id = (select c.organization_id from company c where c.id = current_company())) with check (organization_id = (select c.organization_id from company c where c.id = current_company()))', name);
  execute format('create policy system on %I to trunkline_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to trunkline_app, trunkline_system', name);
end $$;
select organization_table('organization_field'), organization_table('organization_field_value'), organization_table('organization_tag');

-- What was done to the definitions, newest first.
create table field_history (
  company_id bigint not null, id bigint not null default next_id(), field_id bigint not null, at timestamptz not null, actor_id bigint, actor_name text not null, action text not null, detail text not null default '',
  before jsonb, after jsonb, primary key (company_id, id)
);
create index field_history_field on field_history (company_id, field_id, id desc);
select tenant_table('field_history');

-- A tag that was deleted keeps its links for thirty days, so that it comes back as it was.
alter table tag add column organization_tag_id bigint, add column deleted_at timestamptz;
alter table tag drop constraint tag_company_id_name_key_key;
create unique index tag_name on tag (company_id, name_key) where deleted_at is null;

-- Where a company's tags are used; the tables belong to later modules, and asking needs to know none of them.
create function tag_uses(company bigint) returns table (tag_id bigint, numbers int, calls int, places int) language sql stable as $$
  select t.id, (select count(*)::int from number_tag x where x.company_id = company and x.tag_id = t.id), (select count(*)::int from call_tag x where x.company_id = company and x.tag_id = t.id),
    (select count(*)::int from number_template x where x.company_id = company and t.id = any (x.tag_ids)) + (select count(*)::int from forward_contact x where x.company_id = company and t.id = any (x.tag_ids))
  from tag t where t.company_id = company
$$;
-- Everything that carried one tag carries the other.
create function move_tag(company bigint, gone bigint, kept bigint) returns void language sql as $$
  insert into number_tag (company_id, number_id, tag_id) select company_id, number_id, kept from number_tag where company_id = company and tag_id = gone on conflict do nothing;
  insert into call_tag (company_id, call_id, tag_id, added_by, added_at) select company_id, call_id, kept, added_by, added_at from call_tag where company_id = company and tag_id = gone on conflict do nothing;
  delete from number_tag where company_id = company and tag_id = gone;
  delete from call_tag where company_id = company and tag_id = gone;
  update number_template set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
  update forward_contact set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
$$;

-- Saved columns of a list. `columns`: [{ key, width, pinned, order, hidden }].
create table column_preset (
  company_id bigint not null, id bigint not null default next_id(), user_id bigint not null, entity text not null check (entity in ('calls', 'messages', 'numbers', 'contacts', 'campaigns', 'voicemails', 'fax', 'users', 'templates')),
  name text not null check (length(name) between 1 and 60), columns jsonb not null, sort jsonb, filters jsonb, shared boolean not null default false,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (company_id, id)
);
create unique index column_preset_name on column_preset (company_id, user_id, entity, lower(name));
create index column_preset_shared on column_preset (company_id, entity) where shared;
select tenant_table('column_preset');
-- The preset a person's list begins with: their own or one a colleague shares.
create table column_preset_default (
  company_id bigint not null, user_id bigint not null, entity text not null, preset_id bigint not null, primary key (company_id, user_id, entity),
  foreign key (company_id, preset_id) references column_preset (company_id, id) on delete cascade
);
select tenant_table('column_preset_default');

-- How many objects of a type a company has: what a field's values are counted against.
create function field_entities(company bigint, entity int) returns int language sql stable as $$
  select case entity
    when 1 then (select count(*)::int from number x where x.company_id = company and x.status <> 'released')
    when 2 then 1
    when 4 then (select count(c.organization_id)::int from company c where c.id = company)
    when 5 then (select count(*)::int from membership x where x.company_id = company and x.role <> 'deactivated')
    when 6 then (select count(*)::int from call x where x.company_id = company)
    when 7 then (select count(*)::int from contact x where x.company_id = company and x.deleted_at is null)
    else 0 end
$$;
