-- The sandbox carrier's own books, in a schema of their own: to the product it is a third party.
create schema sandbox;
grant usage on schema sandbox to trunkline_system;

-- Texts it carried. `outgoing`: from our customers to an outside phone; one row a key, however
-- often it is submitted.
create table sandbox.text (
  id bigint primary key default next_id(),
  outgoing boolean not null,
  key text unique,
  from_number text not null,
  to_number text not null,
  body text not null,
  media jsonb not null default '[]',
  state text not null default 'accepted'
    check (state in ('accepted', 'sent', 'delivered', 'undelivered', 'failed')),
  code text,
  reason text,
  at timestamptz not null,
  reported_at timestamptz
);
create index text_received on sandbox.text (to_number, id) where outgoing;
create index text_conversation on sandbox.text (from_number, to_number, id);

-- Pictures that an outside phone sent; fetched from the sandbox as from any carrier.
create table sandbox.picture (
  id uuid primary key default gen_random_uuid(),
  text_id bigint references sandbox.text (id) on delete cascade,
  name text not null,
  content_type text not null,
  bytes bytea not null,
  at timestamptz not null default now()
);
create index picture_old on sandbox.picture (at);

-- Outside phones that fail: `refuses` rejects our submission, `fails` comes as a receipt,
-- `fax_fails` is what the fax machine does (busy, no_answer, not_a_fax, line_trouble).
create table sandbox.phone (
  number text primary key,
  refuses text,
  fails text,
  fax_fails text
);

-- Faxes. `outgoing`: from our customers to an outside phone, one row a key; the document is a copy
-- of its own.
create table sandbox.fax (
  id bigint primary key default next_id(),
  outgoing boolean not null,
  key text unique,
  from_number text not null,
  to_number text not null,
  document bytea not null,
  content_type text not null,
  pages int not null default 0,
  state text not null default 'sending'
    check (state in ('sending', 'delivered', 'failed', 'received')),
  code text,
  at timestamptz not null,
  reported_at timestamptz
);
create index fax_received on sandbox.fax (to_number, id);
create index fax_sent on sandbox.fax (from_number, id);

-- Push notifications that the sandbox keeps instead of sending (/dev/pushes).
create table sandbox.push (
  id bigint primary key default next_id(),
  person_id bigint,
  device_id text not null,
  kind text not null,
  title text not null,
  body text not null,
  url text,
  key text unique,
  at timestamptz not null default now()
);

-- Port orders; `advances_at` null: waits for its customer.
create table sandbox.port (
  ref text primary key,
  key text not null unique,
  "order" jsonb not null,
  documents text[] not null default '{}',
  state text not null,
  seq int not null default 1,
  foc_date date,
  wanted text[] not null default '{}',
  rejection jsonb,
  advances_at timestamptz,
  delivered_seq int not null default 0,
  at timestamptz not null default now()
);

-- Reviews of SMS registrations.
create table sandbox.registration (
  id bigint primary key default next_id(),
  key text not null unique,
  kind text not null,
  documents jsonb not null,
  state text not null default 'in_review',
  verdict jsonb not null default '[]',
  score smallint,
  numbers jsonb not null default '[]',
  at timestamptz not null default clock_timestamp(),
  decided_at timestamptz
);

grant select, insert, update, delete on all tables in schema sandbox to trunkline_system;

-- Numbers that somebody ordered from the sandbox carrier. Real carriers keep that themselves.
create table sandbox_order (
  number text primary key,
  key text not null,
  ordered_at timestamptz not null default now()
);
select global_table('sandbox_order');

-- Records of the simulated name servers.
create table sandbox.dns_record (
  type text not null,
  host text not null,
  value text not null,
  primary key (type, host, value)
);
grant select, insert, update, delete on sandbox.dns_record to trunkline_system;
