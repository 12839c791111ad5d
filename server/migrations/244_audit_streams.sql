-- The order in which entries of the audit log are handed on. An id says when a row was written, not
-- when it was committed, so a reader that goes by it skips rows of transactions that end later. One
-- writer at a time numbers committed entries for readers; so each number is final when it is seen.
create table audit_numbering (
  company_id bigint primary key,
  last_seq bigint not null default 0,
  -- Every entry committed before then has its number; null: none has.
  complete_until timestamptz
);
select tenant_table('audit_numbering');

create table audit_position (
  company_id bigint not null,
  seq bigint not null,
  entry_id bigint not null,
  primary key (company_id, seq),
  unique (company_id, entry_id)
);
select tenant_table('audit_position');

-- Receivers outside that get the log as it grows.
create table audit_stream (
  company_id bigint not null,
  id bigint not null default next_id(),
  kind text not null check (kind in ('webhook', 's3')),
  -- Address, or bucket, region, endpoint, prefix and key ID.
  target jsonb not null,
  secret_sealed text not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  paused_because text check (paused_because in ('person', 'failing')),
  after_seq bigint not null default 0,
  -- The end of the batch being sent, so that a repeated one is the same; null: none.
  sending_to_seq bigint,
  sent_count bigint not null default 0,
  failures integer not null default 0,
  failing_since timestamptz,
  last_error text,
  last_sent_at timestamptz,
  next_try_at timestamptz not null,
  created_by bigint,
  created_at timestamptz not null,
  primary key (company_id, id)
);
create index audit_stream_due on audit_stream (next_try_at) where state = 'active';
select tenant_table('audit_stream');
