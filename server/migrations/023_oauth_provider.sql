-- Programs that may ask people for access. `company_id` null: registered itself (dynamic
-- registration). `is_shared`: may ask people of every company.
create table oauth_client (
  id bigint primary key default next_id(),
  client_id text not null unique,
  company_id bigint,
  name text not null,
  redirect_uris text[] not null,
  is_confidential boolean not null,
  is_shared boolean not null default false,
  secret_sealed text,
  created_by bigint,
  created_at timestamptz not null default now()
);
create index oauth_client_company on oauth_client (company_id);
select global_table('oauth_client');

-- What a person allowed a program to do, in one company. It ends with `revoked_at` or at
-- `expires_at`.
create table oauth_authorization (
  id bigint primary key default next_id(),
  grant_hash text not null unique,
  client_id text not null,
  client_name text not null,
  person_id bigint not null references person (id) on delete cascade,
  company_id bigint not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index oauth_authorization_person on oauth_authorization (person_id);
create index oauth_authorization_client on oauth_authorization (client_id);
create index oauth_authorization_over on oauth_authorization (least(revoked_at, expires_at));
select global_table('oauth_authorization');

-- The provider's records: codes, tokens, pending consents. Their ids are credentials, so they are
-- stored hashed, and the rest is sealed.
create table oauth_record (
  kind text not null,
  id_hash text not null,
  grant_hash text,
  uid_hash text,
  scopes text[] not null default '{}',
  payload_sealed text not null,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (kind, id_hash)
);
create index oauth_record_grant on oauth_record (grant_hash);
create index oauth_record_uid on oauth_record (kind, uid_hash);
create index oauth_record_over on oauth_record (expires_at);
select global_table('oauth_record');

-- The key that ID tokens are signed with: one row.
create table oauth_signing_key (
  id smallint primary key default 1 check (id = 1),
  jwk_sealed text not null,
  created_at timestamptz not null default now()
);
select global_table('oauth_signing_key');
