-- The app for individuals. An account is a company of its own kind, behind the same walls as any:
-- same carriers, same exchange, same texts, same opt-outs. Its person has a membership as its owner.
alter table company add column kind text not null default 'business'
  check (kind in ('business', 'caddy'));
-- Someone with such an account, and no part in any other company.
alter table person add column is_individual boolean not null default false;
-- Sessions of a kind of their own open no endpoint of a company, and those of companies none of Caddy.
alter table session drop constraint session_kind_check;
alter table session add constraint session_kind_check check (kind in ('browser', 'device', 'caddy'));

create table caddy_account (
  company_id bigint primary key,
  id bigint not null default next_id(),
  person_id bigint not null references person (id),
  email text,
  email_verified_at timestamptz,
  phone text,
  phone_verified_at timestamptz,
  -- Here rather than with the person: a person's password opens companies.
  password_hash text,
  avatar text,
  locale text not null default 'en-US',
  -- The notices that were turned off; absent ones are on.
  notices jsonb not null default '{}',
  forward_to text,
  voicemail_greeting text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index caddy_account_id on caddy_account (company_id, id);
create unique index caddy_account_person on caddy_account (company_id, person_id);
select tenant_table('caddy_account');

-- Who signs in with what: a directory, because nothing is known of anyone before.
create table caddy_identity (
  provider text not null check (provider in ('email', 'phone', 'google', 'apple')),
  -- An address in lower case, a number as E.164, or the provider's name for the person.
  subject text not null,
  account_id bigint not null,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index caddy_identity_account on caddy_identity (account_id);
select global_table('caddy_identity');

-- Codes that were asked for. Address, device and network are kept as keyed hashes: they are compared,
-- never read. A row is made whether or not anything is sent, so that both look alike.
create table caddy_code (
  id bigint primary key default next_id(),
  purpose text not null check (purpose in ('register', 'login', 'reset', 'change', 'delete')),
  target_hash text not null,
  device_hash text,
  network_hash text not null,
  hash text not null,
  tries int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index caddy_code_target on caddy_code (target_hash, created_at);
create index caddy_code_device on caddy_code (device_hash, created_at) where device_hash is not null;
create index caddy_code_network on caddy_code (network_hash, created_at);
create index caddy_code_purpose on caddy_code (purpose, created_at);
create index caddy_code_over on caddy_code (expires_at);
select global_table('caddy_code');
