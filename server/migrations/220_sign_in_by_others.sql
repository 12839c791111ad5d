-- Who a person is at a provider through whom they sign in. Issuer and subject name them there for good;
-- the address is what it was when they were linked.
create table person_identity (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  unique (issuer, subject),
  unique (person_id, provider)
);
select global_table('person_identity');
select person_table('person_identity');

-- A visit to a provider that is under way, of one browser (its cookie, hashed). `links`: to add the
-- provider to an account. Once the person is back: who they are there.
create table external_sign_in (
  state_hash text primary key,
  browser_hash text not null,
  provider text not null,
  links boolean not null,
  person_id bigint references person (id) on delete cascade,
  next text not null,
  issuer text,
  subject text,
  email text,
  first_name text,
  last_name text,
  proven_at timestamptz,
  expires_at timestamptz not null
);
create index external_sign_in_browser on external_sign_in (browser_hash);
create index external_sign_in_person on external_sign_in (person_id);
create index external_sign_in_expiry on external_sign_in (expires_at);
select global_table('external_sign_in');

-- A person who came through a provider has no password until they set one.
alter table person alter column password_hash drop not null;
alter table person add has_password boolean not null generated always as (password_hash is not null) stored;
grant select (has_password) on person to trunkline_app;
