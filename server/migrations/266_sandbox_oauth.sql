-- Accounts of simulated providers that somebody connected: one row a consent.
create table sandbox.oauth_grant (
  id bigint primary key default next_id(),
  provider text not null,
  account_id text not null,
  account_name text not null,
  account_email text not null,
  redirect_uri text not null,
  code_challenge text not null,
  -- Hashes. The code is void once it was exchanged.
  code_hash text unique,
  code_expires_at timestamptz not null,
  access_hash text unique,
  access_expires_at timestamptz,
  refresh_hash text unique,
  -- The refresh token before: who uses it once more ends the whole grant.
  used_refresh_hash text unique,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index oauth_grant_age on sandbox.oauth_grant (created_at);
grant select, insert, update, delete on sandbox.oauth_grant to trunkline_system;
