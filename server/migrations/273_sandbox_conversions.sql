-- What simulated advertising accounts count.
create table sandbox.conversion (
  id bigint primary key default next_id(),
  provider text not null,
  -- The pixel or conversion action that counts it.
  place text not null,
  -- Under which a receiver counts it once.
  key text not null,
  -- What it was sent, last.
  details jsonb not null,
  -- Requests that named it.
  times integer not null default 1,
  taken_back boolean not null default false,
  created_at timestamptz not null,
  unique (provider, place, key)
);
create index conversion_age on sandbox.conversion (created_at);
grant select, insert, update, delete on sandbox.conversion to trunkline_system;
