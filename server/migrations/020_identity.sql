-- People sign in across companies, so these tables are global and only the system role sees them.
create table person (
  id bigint primary key default next_id(),
  email text not null,
  email_key text not null generated always as (lower(email)) stored unique,
  password_hash text not null,
  first_name text not null default '',
  last_name text not null default '',
  timezone text,
  read_whats_new_at timestamptz,
  is_staff boolean not null default false,
  sip_address text,
  sip_user text,
  sip_password_secret text,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
select global_table('person');

-- One row a browser or device. Tokens are random and stored hashed; a refresh token works once, and
-- its reuse closes the family.
create table session (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  family uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('browser', 'device')),
  device_name text,
  cookie_hash text unique,
  access_hash text unique,
  refresh_hash text unique,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  refreshed_at timestamptz,
  admin_mode boolean not null default false,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index session_person on session (person_id) where ended_at is null;
create index session_family on session (family);
-- For retention (platform/retention.ts), as other indexes by age.
create index session_over on session (least(ended_at, refresh_expires_at));
create index session_newest on session (person_id, id);
select global_table('session');

create table login_attempt (
  id bigint primary key default next_id(),
  email_key text not null,
  ip text,
  ok boolean not null,
  at timestamptz not null default now(),
  -- The IPv4 address, or the /64 of an IPv6 one: wrong passwords are counted by it, whatever
  -- account they were for.
  network text
);
create index login_attempt_recent on login_attempt (email_key, at);
create index login_attempt_network on login_attempt (network, at) where not ok;
select global_table('login_attempt');

-- Codes and links sent to people: random, hashed at rest, single use, bound to purpose and address.
-- `first_owner`: the link for the first owner of a server that cannot send mail.
create table sent_code (
  id bigint primary key default next_id(),
  purpose text not null check (purpose in ('reset', 'signup', 'first_owner')),
  email_key text not null,
  hash text not null,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sent_code_recent on sent_code (purpose, email_key, created_at);
create index sent_code_hash on sent_code (hash);
select global_table('sent_code');
