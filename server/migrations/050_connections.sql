-- What a company linked to a third party by OAuth. Tokens are sealed; a disconnected link keeps none.
create table connection (
  company_id bigint not null, id bigint not null default next_id(),
  provider text not null,
  -- The account at the provider, in its words.
  external_id text not null, account_name text not null, account_email text,
  scopes text[] not null default '{}',
  -- failing: it worked, and the last try did not. needs_reconnect: the provider refuses us until a person connects anew.
  status text not null check (status in ('connected', 'failing', 'needs_reconnect', 'disconnected')),
  -- { access, refresh } as JSON.
  tokens_sealed text, access_expires_at timestamptz,
  last_worked_at timestamptz, last_error text, last_error_at timestamptz,
  created_by bigint, created_at timestamptz not null, disconnected_at timestamptz,
  primary key (company_id, id), unique (company_id, provider, external_id),
  check ((status in ('connected', 'failing')) = (tokens_sealed is not null))
);
create index connection_disconnected on connection (disconnected_at) where disconnected_at is not null;
select tenant_table('connection');

-- A person on the way to a provider and back: ten minutes, once.
create table connection_attempt (
  company_id bigint not null, state_hash text not null,
  provider text not null, session_id bigint not null, person_id bigint not null,
  redirect_uri text not null, verifier_sealed text not null, expires_at timestamptz not null,
  primary key (company_id, state_hash)
);
create index connection_attempt_expires on connection_attempt (expires_at);
select tenant_table('connection_attempt');
