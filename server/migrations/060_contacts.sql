create extension if not exists btree_gin;

-- Immutable, as a generated column asks and array_to_string is not.
create function contact_words(a text[], b text[])
returns text language sql immutable parallel safe as
  $$ select array_to_string(a, ' ') || ' ' || array_to_string(b, ' ') $$;

-- The other party. A number is unique among contacts that are not deleted; opt-outs are kept by
-- number elsewhere (opt_out) and survive all of this.
create table contact (
  company_id bigint not null,
  id bigint not null default next_id(),
  number text not null,
  name text not null default '',
  company_name text not null default '',
  title text not null default '',
  email text not null default '',
  address1 text not null default '',
  address2 text not null default '',
  city text not null default '',
  state text not null default '',
  zip text not null default '',
  country text not null default '',
  notes text not null default '',
  optin_type text,
  optin_source text not null default '',
  alternative_names text[] not null default '{}',
  secondary_emails text[] not null default '{}',
  carrier text,
  gender text,
  age_range text,
  type text not null default 'Person',
  source text not null default 'Manual',
  invalid boolean not null default false,
  -- Follows the opt-outs by triggers (0040); opt_out itself decides whether a text may be sent.
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text
    generated always as (lower(
      name || ' ' || company_name || ' ' || email || ' ' || number || ' '
      || contact_words(alternative_names, secondary_emails)
    )) stored,
  deleted_by bigint,
  -- outbox.seq of the newest opt-out event applied here: an older one that arrives later changes
  -- nothing.
  opt_out_seq bigint not null default 0,
  primary key (company_id, id)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create unique index contact_live_number on contact (company_id, number) where deleted_at is null;
create index contact_search on contact using gin (company_id, search gin_trgm_ops)
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index contact_by_name on contact (company_id, lower(name), id) where deleted_at is null;
create index contact_unsubscribed on contact (company_id, id)
  where deleted_at is null and unsubscribed_at is not null;
create index contact_invalid on contact (company_id, id) where deleted_at is null and invalid;
create index contact_trash on contact (company_id, deleted_at) where deleted_at is not null;
select tenant_table('contact');

-- Further numbers of one person, kept when contacts are merged. A number is here or in `contact`,
-- never in both unless one is deleted.
create table contact_number (
  company_id bigint not null,
  number text not null,
  contact_id bigint not null,
  created_at timestamptz not null,
  primary key (company_id, number),
  foreign key (company_id, contact_id) references contact (company_id, id) on delete cascade
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index contact_number_of on contact_number (company_id, contact_id);
select tenant_table('contact_number');

-- What is known of a number, whoever has it: it outlives merging, deletion and re-creation.
create table contact_activity (
  company_id bigint not null,
  number text not null,
  last_called_at timestamptz,
  last_texted_at timestamptz,
  -- Times the carrier said that the number does not exist or takes no texts; the second makes the
  -- contact invalid.
  undeliverable int not null default 0,
  primary key (company_id, number)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index contact_activity_called on contact_activity (company_id, last_called_at desc)
  where last_called_at is not null;
select tenant_table('contact_activity');

-- A group lists its members or (virtual) has a rule that is evaluated when it is used. `system`:
-- one the product creates.
create table contact_group (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 80),
  name_key text not null generated always as (lower(name)) stored,
  rule jsonb,
  system text check (system in ('all', 'unsubscribed', 'invalid', 'recent_callers')),
  user_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id),
  check (system is null or rule is not null)
);
create unique index contact_group_name on contact_group (company_id, name_key)
  where deleted_at is null;
create unique index contact_group_system on contact_group (company_id, system)
  where system is not null;
select tenant_table('contact_group');

create table contact_group_member (
  company_id bigint not null,
  group_id bigint not null,
  contact_id bigint not null,
  added_at timestamptz not null default now(),
  primary key (company_id, group_id, contact_id),
  foreign key (company_id, group_id) references contact_group (company_id, id) on delete cascade,
  foreign key (company_id, contact_id) references contact (company_id, id) on delete cascade
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index contact_group_member_of on contact_group_member (company_id, contact_id);
select tenant_table('contact_group_member');

create table contact_label (
  company_id bigint not null,
  id bigint not null default next_id(),
  label text not null check (length(label) between 1 and 60),
  label_key text not null generated always as (lower(label)) stored,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, label_key)
);
select tenant_table('contact_label');

create table contact_label_use (
  company_id bigint not null,
  label_id bigint not null,
  contact_id bigint not null,
  added_at timestamptz not null default now(),
  primary key (company_id, label_id, contact_id),
  foreign key (company_id, label_id) references contact_label (company_id, id) on delete cascade,
  foreign key (company_id, contact_id) references contact (company_id, id) on delete cascade
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index contact_label_use_of on contact_label_use (company_id, contact_id);
select tenant_table('contact_label_use');

-- How many contacts a group has (group 0: the company). Changes are appended, so that two who
-- change one group at once do not wait for each other; a job folds them. The sum is right in every
-- snapshot.
create table contact_group_count (
  company_id bigint not null,
  id bigint not null generated always as identity,
  group_id bigint not null,
  contacts int not null,
  invalid int not null,
  unsubscribed int not null,
  primary key (company_id, id)
);
create index contact_group_count_of
  on contact_group_count (company_id, group_id) include (contacts, invalid, unsubscribed);
select tenant_table('contact_group_count');

-- A contact counts once: as invalid, else as unsubscribed, else as active; a deleted one not at
-- all.
create function count_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into contact_group_count (company_id, group_id, contacts, invalid, unsubscribed)
      select company_id, 0, count(*), count(*) filter (where invalid), count(*) filter (where unsubscribed_at is not null and not invalid)
      from new_rows where deleted_at is null group by company_id;
  else
    insert into contact_group_count (company_id, group_id, contacts, invalid, unsubscribed)
      with changed as materialized (
        select n.company_id, n.id, (n.deleted_at is null)::int - (o.deleted_at is null)::int contacts,
          (n.deleted_at is null and n.invalid)::int - (o.deleted_at is null and o.invalid)::int invalid,
          (n.deleted_at is null and not n.invalid and n.unsubscribed_at is not null)::int - (o.deleted_at is null and not o.invalid and o.unsubscribed_at is not null)::int unsubscribed
        from new_rows n join old_rows o on o.company_id = n.company_id and o.id = n.id
        where (n.deleted_at is null, n.invalid, n.unsubscribed_at is null) is distinct from (o.deleted_at is null, o.invalid, o.unsubscribed_at is null))
      select company_id, 0, sum(contacts), sum(invalid), sum(unsubscribed) from changed group by company_id
      union all select m.company_id, m.group_id, sum(c.contacts), sum(c.invalid), sum(c.unsubscribed) from changed c join contact_group_member m on m.company_id = c.company_id and m.contact_id = c.id group by m.company_id, m.group_id;
  end if;
  return null;
end $$;
create trigger count_made after insert on contact
  referencing new table as new_rows
  for each statement execute function count_contacts();
create trigger count_changed after update on contact
  referencing new table as new_rows old table as old_rows
  for each statement execute function count_contacts();

-- The contacts are locked while they are counted: an opt-out at the same time waits, and then finds
-- the membership.
create function count_members() returns trigger language plpgsql as $$
declare way int := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into contact_group_count (company_id, group_id, contacts, invalid, unsubscribed)
    with held as materialized (
      select c.company_id, c.id, c.invalid, c.unsubscribed_at is not null unsubscribed, c.deleted_at is null alive from contact c
      where (c.company_id, c.id) in (select company_id, contact_id from moved) order by c.id for share)
    select m.company_id, m.group_id, way * count(*), way * count(*) filter (where h.invalid), way * count(*) filter (where h.unsubscribed and not h.invalid)
    from moved m join held h on h.company_id = m.company_id and h.id = m.contact_id where h.alive group by m.company_id, m.group_id;
  return null;
end $$;
create trigger count_joined after insert on contact_group_member
  referencing new table as moved
  for each statement execute function count_members();
create trigger count_left after delete on contact_group_member
  referencing old table as moved
  for each statement execute function count_members();

-- Every company has the product's groups from its creation.
create function bring_groups()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into contact_group (company_id, name, system, rule) values
    (new.id, 'All contacts', 'all', '{"all": []}'), (new.id, 'Unsubscribed', 'unsubscribed', '{"all": [{"field": "unsubscribed", "op": "is", "value": true}]}'),
    (new.id, 'Invalid', 'invalid', '{"all": [{"field": "invalid", "op": "is", "value": true}]}'), (new.id, 'Recent callers', 'recent_callers', '{"all": [{"field": "lastCalledAt", "op": "within_days", "value": 30}]}');
  return null;
end $$;
create trigger bring_groups after insert on company for each row execute function bring_groups();

-- They are not data of a person, so they do not keep an empty company from being deleted.
create function take_groups()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from contact_group where company_id = old.id and system is not null;
  return old;
end $$;
create trigger take_groups before delete on company for each row execute function take_groups();

-- Two contacts that became one: what to restore when that is undone.
create table contact_merge (
  company_id bigint not null,
  id bigint not null default next_id(),
  target_id bigint not null,
  source_id bigint not null,
  gone_number text not null,
  before jsonb not null,
  after jsonb not null,
  added_groups bigint[] not null default '{}',
  added_labels bigint[] not null default '{}',
  moved_numbers text[] not null default '{}',
  user_id bigint,
  user_name text not null default '',
  at timestamptz not null,
  undone_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, target_id) references contact (company_id, id) on delete cascade,
  foreign key (company_id, source_id) references contact (company_id, id) on delete cascade
);
create index contact_merge_kept on contact_merge (company_id, target_id, id desc);
create index contact_merge_gone on contact_merge (company_id, source_id);
select tenant_table('contact_merge');

-- Whom a bulk change touched, part by part, so that it can be undone.
create table contact_bulk_change (
  company_id bigint not null,
  batch_id uuid not null,
  part int not null,
  contact_ids bigint[] not null,
  at timestamptz not null,
  undone_at timestamptz,
  primary key (company_id, batch_id, part)
);
create index contact_bulk_change_at on contact_bulk_change (at);
select tenant_table('contact_bulk_change');

-- An import of a file. The file is read once, into rows (one JSON list a line) kept as a file.
create table contact_import (
  company_id bigint not null,
  id bigint not null default next_id(),
  file_name text not null,
  format text not null check (format in ('csv', 'xlsx')),
  bytes bigint not null,
  headers jsonb not null,
  headers_key text not null,
  sample jsonb not null,
  row_count int not null check (row_count > 0),
  rows_file_id bigint,
  state text not null default 'uploaded'
    check (state in ('uploaded', 'running', 'finished', 'failed', 'undoing', 'undone')),
  mapping jsonb not null,
  remembered boolean not null default false,
  options jsonb not null default '{}',
  batch_id uuid,
  undo_batch_id uuid,
  -- Where the next row begins in the file of rows: a job that was killed resumes there.
  next_byte bigint not null default 0,
  processed int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  unchanged int not null default 0,
  skipped int not null default 0,
  noted int not null default 0,
  skipped_by jsonb not null default '{}',
  result_file_id bigint,
  mistakes_file_id bigint,
  failure text,
  undone jsonb,
  created_by bigint,
  created_by_name text not null default '',
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, rows_file_id) references file (company_id, id),
  foreign key (company_id, result_file_id) references file (company_id, id),
  foreign key (company_id, mistakes_file_id) references file (company_id, id)
);
create index contact_import_newest on contact_import (company_id, id desc);
create index contact_import_batch on contact_import (company_id, batch_id)
  where batch_id is not null;
create index contact_import_undo_batch on contact_import (company_id, undo_batch_id)
  where undo_batch_id is not null;
create index contact_import_old on contact_import (created_at)
  where rows_file_id is not null or result_file_id is not null;
select tenant_table('contact_import');

-- The result of each row, a chunk of rows at a time, in the order of the file: [{ r: row, o:
-- outcome, … }]. Written with the contacts in one transaction; the result file and undo read it.
create table contact_import_chunk (
  company_id bigint not null,
  import_id bigint not null,
  n int not null,
  at timestamptz not null,
  rows json not null,
  undone_at timestamptz,
  primary key (company_id, import_id, n),
  foreign key (company_id, import_id) references contact_import (company_id, id) on delete cascade
);
create index contact_import_chunk_old on contact_import_chunk (at);
select tenant_table('contact_import_chunk');

-- How the columns of files with these headers were mapped the last time.
create table contact_import_mapping (
  company_id bigint not null,
  headers_key text not null,
  mapping jsonb not null,
  used_at timestamptz not null,
  primary key (company_id, headers_key)
);
select tenant_table('contact_import_mapping');

-- Search. Row-level security forbids trigram indexes to the roles it binds (their operators are not
-- leakproof), so the match runs as the system role, for the company of the transaction only. Each
-- part stops at `most` by itself, and only bitmap scans are considered: a generic plan would rather
-- scan the whole table for a word that nobody has.
create function contacts_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select k.id from contact k where k.company_id = company and company = current_company() and k.deleted_at is null and k.search like pattern limit most)
  union (select k.id from contact k where digits is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like digits limit most)
  union (select n.contact_id from contact_number n where digits is not null and n.company_id = company and company = current_company() and n.number like digits limit most)
  limit most
$$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function contacts_matching owner to trunkline_system;
alter function bring_groups owner to trunkline_system;
alter function take_groups owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function contacts_matching, bring_groups, take_groups from public;
grant execute on function contacts_matching to trunkline_app;
