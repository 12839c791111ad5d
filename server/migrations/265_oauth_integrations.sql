-- What is set of a company's connected accounts, and whether they are used. A connected account
-- without a row isn't set up yet.
create table oauth_integration (
  company_id bigint not null,
  connection_id bigint not null,
  -- activating: turned on, and read at the provider first.
  state text not null check (state in ('connected', 'activating', 'active', 'inactive')),
  -- What its provider needs (A16.2); without secrets.
  config jsonb not null default '{}',
  last_sync_at timestamptz,
  updated_at timestamptz not null,
  primary key (company_id, connection_id),
  foreign key (company_id, connection_id) references connection (company_id, id) on delete cascade
);
select tenant_table('oauth_integration');

-- Destinations that are reached with a connected account: each place it delivers to, such as a channel.
alter table destination add column connection_id bigint, add column place_key text,
  add foreign key (company_id, connection_id) references connection (company_id, id) on delete cascade,
  add check ((connection_id is null) = (place_key is null));
create unique index concurrently destination_place on destination (company_id, connection_id, place_key)
  where connection_id is not null;
