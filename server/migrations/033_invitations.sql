-- Invitations to join a company, or several companies of an organization at once. The link's token
-- is stored hashed; sending again replaces it.
create table invitation (
  company_id bigint not null,
  id bigint not null default next_id(),
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  first_name text not null default '',
  last_name text not null default '',
  role text not null check (role in ('administrator', 'billing', 'reporting', 'user')),
  -- Every company to join, `company_id` first.
  company_ids bigint[] not null,
  -- Of `company_id`; empty: every number.
  number_ids bigint[] not null default '{}',
  -- Sent for this organization; null: for one company.
  organization_id bigint references organization (id),
  is_org_administrator boolean not null default false,
  field_values jsonb not null default '[]',
  message text,
  token_hash text not null,
  invited_by bigint not null references person (id),
  sent_at timestamptz not null,
  resent_count int not null default 0,
  -- Of the last 24 hours, for the limit.
  resent_at timestamptz[] not null default '{}',
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by bigint references person (id),
  revoked_at timestamptz,
  primary key (company_id, id),
  check (not is_org_administrator or organization_id is not null)
);
create index invitation_newest on invitation (company_id, id desc);
create index invitation_address on invitation (company_id, email_key);
create index invitation_token on invitation (token_hash);
select tenant_table('invitation');
