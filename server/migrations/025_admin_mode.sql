-- Platform staff in admin mode: who, why and until when. The row is the record of the entry, so it
-- outlives the session; `family` is that of the session, which changes its ID when it is refreshed.
create table admin_entry (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id),
  family uuid not null,
  reason text not null check (length(reason) between 3 and 300),
  entered_at timestamptz not null,
  ends_at timestamptz not null,
  -- When changes were allowed, the second step. Null: it only reads.
  writes_at timestamptz,
  -- When it was left before its end.
  left_at timestamptz
);
create index admin_entry_family on admin_entry (family, id);
create index admin_entry_running on admin_entry (ends_at) where left_at is null;
select global_table('admin_entry');

-- A token with which staff act as a person: once, within a minute.
create table remote_login (
  id bigint primary key default next_id(),
  hash text not null unique,
  entry_id bigint not null references admin_entry (id),
  person_id bigint not null references person (id) on delete cascade,
  in_company_id bigint not null,
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
select global_table('remote_login');

-- Sessions that staff opened as this person: they end with the admin mode and see one company.
alter table session
  add column remote_login_id bigint references remote_login (id);
