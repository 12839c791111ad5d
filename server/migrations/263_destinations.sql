-- Where a company's calls, texts and forms are delivered to, and each delivery.
create table destination (
  company_id bigint not null,
  id bigint not null default next_id(),
  -- The folder that knows how to speak to it: 'adf'.
  provider text not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  -- What its provider needs besides the rules; without secrets.
  config jsonb not null,
  secret_sealed text,
  rules jsonb not null default '[]',
  last_sent_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  -- Failed tries in a row, of whatever delivery; 0: it works.
  failures integer not null default 0,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
select tenant_table('destination');
create index destination_provider on destination (company_id, provider, created_at);

create table delivery (
  company_id bigint not null,
  id bigint not null default next_id(),
  destination_id bigint not null,
  event text not null,
  subject_type text not null check (subject_type in ('call', 'item')),
  subject_id bigint not null,
  -- Who is limited to other numbers doesn't see it.
  number_id bigint not null,
  -- Values of the rule that asked for it.
  rule jsonb not null,
  -- One delivery of each: what happened twice is sent once.
  dedupe_key text not null,
  -- Keyed hash of whom it is about; null: of no one in particular.
  thread_key text,
  -- Of the thread's deliveries this is the first, second …; the first one's subject names them all.
  thread_no integer not null default 1,
  thread_root bigint,
  state text not null default 'queued' check (state in ('queued', 'failed', 'sent', 'dead')),
  attempts integer not null default 0,
  next_try_at timestamptz not null,
  -- A worker sends it until then; afterwards another one may.
  claimed_until timestamptz,
  request_redacted text,
  response_code integer,
  response_excerpt text,
  -- How the receiver names it.
  external_ref text,
  error text,
  happened_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (company_id, id),
  unique (company_id, destination_id, dedupe_key),
  foreign key (company_id, destination_id) references destination (company_id, id) on delete cascade
);
select tenant_table('delivery');
create index delivery_due on delivery (next_try_at) where state in ('queued', 'failed');
create index delivery_log on delivery (company_id, destination_id, created_at desc, id desc);
create index delivery_age on delivery (created_at);
create index delivery_thread on delivery (company_id, destination_id, thread_key, thread_no)
  where thread_key is not null;
