-- A fax: the document, where it stands with the carrier, and the item it is in its conversation. Pages are pictures of ours.
create table fax (
  company_id bigint not null, id bigint not null default next_id(), number_id bigint not null, conversation_id bigint, item_id bigint,
  outgoing boolean not null, party text not null,
  state text not null check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'receiving', 'received')),
  name text not null default '', cover jsonb,
  -- What was given: uploaded files, or where the carrier keeps what arrived.
  source_file_ids bigint[] not null default '{}', source_url text,
  pages int not null default 0, page_images jsonb not null default '[]', pdf_file_id bigint, tiff_file_id bigint,
  error_code text, error_text text, attempts int not null default 1, tries int not null default 0,
  carrier text not null, provider_id text, actor_id bigint, actor_name text,
  queued_at timestamptz not null, created_at timestamptz not null, ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, conversation_id) references conversation (company_id, id)
);
create unique index fax_carrier on fax (company_id, carrier, provider_id) where provider_id is not null;
create index fax_provider on fax (provider_id, carrier) where provider_id is not null;
create index fax_of_number on fax (company_id, number_id, created_at desc);
select tenant_table('fax');

-- The sandbox carrier's faxes: `outgoing` from our customers to an outside phone, one row a key; the document is its own copy.
create table sandbox.fax (
  id bigint primary key default next_id(), outgoing boolean not null, key text unique, from_number text not null, to_number text not null,
  document bytea not null, content_type text not null, pages int not null default 0,
  state text not null default 'sending' check (state in ('sending', 'delivered', 'failed', 'received')), code text,
  at timestamptz not null, reported_at timestamptz
);
create index fax_received on sandbox.fax (to_number, id);
create index fax_sent on sandbox.fax (from_number, id);
-- How an outside phone's fax machine misbehaves: busy, no_answer, not_a_fax, line_trouble.
alter table sandbox.phone add column fax_fails text;

-- Who is behind a number, kept 30 days for the company that asked (A9.4). `identity` null: nobody knew, kept a day.
create table caller_identity (
  company_id bigint not null, number text not null, identity jsonb, source text not null, checked_at timestamptz not null,
  primary key (company_id, number)
);
select tenant_table('caller_identity');
-- One row a question to the provider: what billing counts.
create table caller_lookup (
  company_id bigint not null, id bigint not null default next_id(), number text not null, source text not null, found boolean not null, billable boolean not null,
  user_id bigint, at timestamptz not null, primary key (company_id, id)
);
create index caller_lookup_at on caller_lookup (company_id, at);
select tenant_table('caller_lookup');

-- What a person does not want to hear of a number, by channel. Event '*': everything.
create table notification_block (
  company_id bigint not null, user_id bigint not null, number_id bigint not null,
  channel text not null check (channel in ('email', 'sms', 'push', 'app', 'slack')),
  event text not null default '*' check (event in ('*', 'call', 'missed', 'voicemail', 'message', 'fax', 'campaign', 'alert')),
  created_at timestamptz not null,
  primary key (company_id, user_id, number_id, channel, event),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index notification_block_number on notification_block (company_id, number_id);
select tenant_table('notification_block');

-- Devices that can be woken: a person's, in whatever company they work; removed when their session ends.
create table push_device (
  id bigint primary key default next_id(), person_id bigint not null references person (id) on delete cascade, session_id bigint,
  kind text not null check (kind in ('apns_voip', 'web')), device_id text not null, token text not null,
  bundle_id text, environment text check (environment in ('production', 'sandbox')), keys_secret text, user_agent text,
  created_at timestamptz not null, seen_at timestamptz not null, gone_at timestamptz
);
create unique index push_device_token on push_device (kind, token);
create index push_device_person on push_device (person_id) where gone_at is null;
create index push_device_session on push_device (session_id) where session_id is not null;
select global_table('push_device');
-- Who has the app open: told by every web process while their sockets are there.
create table person_connected (person_id bigint primary key references person (id) on delete cascade, seen_at timestamptz not null);
select global_table('person_connected');

-- Pushes that the sandbox keeps instead of sending (/dev/pushes).
create table sandbox.push (id bigint primary key default next_id(), person_id bigint, device_id text not null, kind text not null, title text not null, body text not null, url text, key text unique, at timestamptz not null default now());
grant select, insert, update, delete on all tables in schema sandbox to trunkline_system;

-- Has the person at work muted this number on any channel? Asked by the number's own page, which knows nothing else of it.
create function number_is_muted(company bigint, number_id bigint) returns boolean language sql stable as $$
  select exists (select from notification_block b where b.company_id = company and b.number_id = $2 and b.user_id = current_person())
$$;
