-- A person's key for the API of one company, stored hashed. `prefix` is its readable beginning.
create table personal_access_token (
  company_id bigint not null,
  id bigint not null default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  name text not null,
  prefix text not null,
  hash text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text,
  primary key (company_id, id)
);
-- Asked before the company is known.
create index personal_access_token_hash on personal_access_token (hash);
create index personal_access_token_person on personal_access_token (person_id);
select tenant_table('personal_access_token');
