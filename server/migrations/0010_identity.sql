-- People sign in across companies, so these tables are global and only the system role sees them.
create table person (
  id bigint primary key default next_id(),
  email text not null, email_key text not null generated always as (lower(email)) stored unique,
  password_hash text not null, first_name text not null default '', last_name text not null default '',
  timezone text, read_whats_new_at timestamptz, is_staff boolean not null default false,
  sip_address text, sip_user text, sip_password_secret text,
  created_at timestamptz not null default now(), disabled_at timestamptz
);
select global_table('person');

-- One row a browser or device. Tokens are random and stored hashed; a refresh token works once, its reuse closes the family.
create table session (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  family uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('browser', 'device')), device_name text,
  cookie_hash text unique, access_hash text unique, refresh_hash text unique,
  access_expires_at timestamptz, refresh_expires_at timestamptz, refreshed_at timestamptz,
  admin_mode boolean not null default false, ip text, user_agent text,
  created_at timestamptz not null default now(), last_seen_at timestamptz not null default now(), ended_at timestamptz
);
create index session_person on session (person_id) where ended_at is null;
create index session_family on session (family);
select global_table('session');

create table login_attempt (id bigint primary key default next_id(), email_key text not null, ip text, ok boolean not null, at timestamptz not null default now());
create index login_attempt_recent on login_attempt (email_key, at);
select global_table('login_attempt');

-- Codes and links sent to people: random, hashed at rest, single use, bound to purpose and address.
create table sent_code (
  id bigint primary key default next_id(), purpose text not null check (purpose in ('reset', 'signup')), email_key text not null,
  hash text not null, tries int not null default 0, created_at timestamptz not null default now(), expires_at timestamptz not null, used_at timestamptz
);
create index sent_code_recent on sent_code (purpose, email_key, created_at);
create index sent_code_hash on sent_code (hash);
select global_table('sent_code');
