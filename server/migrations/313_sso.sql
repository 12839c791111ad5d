-- The OpenID provider through which an organization's people sign in.
create table sso_connection (
  organization_id bigint primary key references organization (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  secret_sealed text not null,
  -- The claim of its ID tokens that lists a person's groups.
  groups_claim text not null default 'groups',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select global_table('sso_connection');

-- Domains of email addresses, proven by a TXT record with the token. A proof whose record is gone
-- holds for a while (`missing_since`), so that a mistake in DNS locks no one out.
create table sso_domain (
  organization_id bigint not null references organization (id) on delete cascade,
  domain text not null,
  token text not null,
  proven_at timestamptz,
  missing_since timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, domain)
);
create unique index sso_domain_proven on sso_domain (domain) where proven_at is not null;
select global_table('sso_domain');
