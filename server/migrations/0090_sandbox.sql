-- The sandbox carrier's own books, in a schema of their own: it is a stranger that happens to live here.
create schema sandbox;
grant usage on schema sandbox to trunkline_system;

-- Texts it has carried. `outgoing`: from our customers to an outside phone; one row a key, however often it is sent.
create table sandbox.text (
  id bigint primary key default next_id(), outgoing boolean not null, key text unique,
  from_number text not null, to_number text not null, body text not null, media jsonb not null default '[]',
  state text not null default 'accepted' check (state in ('accepted', 'sent', 'delivered', 'undelivered', 'failed')), code text, reason text,
  at timestamptz not null, reported_at timestamptz
);
create index text_received on sandbox.text (to_number, id) where outgoing;
create index text_conversation on sandbox.text (from_number, to_number, id);

-- Pictures an outside phone sent; fetched from the sandbox as from any carrier.
create table sandbox.picture (id uuid primary key default gen_random_uuid(), text_id bigint references sandbox.text (id) on delete cascade, name text not null, content_type text not null, bytes bytea not null, at timestamptz not null default now());

-- Outside phones that are not as obliging as the rest: `refuses` is said to our send, `fails` comes as a receipt.
create table sandbox.phone (number text primary key, refuses text, fails text);
grant select, insert, update, delete on all tables in schema sandbox to trunkline_system;
