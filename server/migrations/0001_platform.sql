-- Roles: the application works as trunkline_app (row-level security binds it); relay, jobs and directories as trunkline_system.
do $$ begin
  if not exists (select from pg_roles where rolname = 'trunkline_app') then create role trunkline_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'trunkline_system') then create role trunkline_system nologin; end if;
end $$;
grant trunkline_app, trunkline_system to current_user;
grant usage on schema public to trunkline_app, trunkline_system;

create extension if not exists pg_trgm;

-- Time-ordered ids below 2^53: milliseconds since 2024 shifted by 12 bits, plus a 12-bit counter. Unique within (company, table).
create sequence id_counter;
create function next_id() returns bigint language sql volatile as $$
  select ((((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000) << 12) | (nextval('id_counter') & 4095))::bigint
$$;
grant usage on sequence id_counter to trunkline_app, trunkline_system;

create function current_company() returns bigint language sql stable as $$
  select nullif(current_setting('app.company_id', true), '')::bigint
$$;
create function current_person() returns bigint language sql stable as $$
  select nullif(current_setting('app.user_id', true), '')::bigint
$$;

-- Second wall for tenants: a company's table is readable and writable only inside that company's transaction.
create function tenant_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy company on %I to trunkline_app using (company_id = current_company()) with check (company_id = current_company())', name);
  execute format('create policy system on %I to trunkline_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to trunkline_app, trunkline_system', name);
end $$;

-- Directories and people's own rows: no company leads them, so only the system role reads and writes them.
create function global_table(name text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to trunkline_system', name);
end $$;

-- What was said, in commit order once published (seq). A sequence is not commit order, so the relay assigns seq and stops
-- at the oldest open transaction (xid).
create table outbox (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  company_id bigint,
  event text not null,
  data jsonb not null,
  channel_key bigint,
  number_id bigint,
  at timestamptz not null default clock_timestamp(),
  seq bigint
);
create index outbox_unpublished on outbox (xid, id) where seq is null;
create unique index outbox_seq on outbox (seq) where seq is not null;
create index outbox_company on outbox (company_id, seq);
alter table outbox enable row level security;
alter table outbox force row level security;
create policy company on outbox for insert to trunkline_app with check (company_id is null or company_id = current_company());
create policy system on outbox to trunkline_system using (true) with check (true);
grant insert on outbox to trunkline_app;
grant select, insert, update, delete on outbox to trunkline_system;

create table relay_position (only_row boolean primary key default true check (only_row), last_seq bigint not null);
insert into relay_position (last_seq) values (0);
select global_table('relay_position');

-- Jobs are enqueued inside the business transaction; the queue's own tables stay closed to the application's role.
create function enqueue_job(job text, payload json, queue text, run_at timestamptz, attempts int, key text, key_mode text)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(job, payload, queue, run_at, attempts, key, null, null, coalesce(key_mode, 'replace'));
end $$;
grant execute on function enqueue_job to trunkline_app, trunkline_system;

-- A worker that stops pulsing is dead; its jobs are freed within 10 seconds.
create table worker_pulse (worker_id text primary key, at timestamptz not null default now());
select global_table('worker_pulse');

-- The first answer of a request with an Idempotency-Key, kept 24 hours, written in the business transaction.
create table idempotency_key (
  owner text not null, key text not null, fingerprint text not null, status int, body jsonb,
  at timestamptz not null default now(), primary key (owner, key)
);
alter table idempotency_key enable row level security;
create policy everyone on idempotency_key to trunkline_app, trunkline_system using (true) with check (true);
grant select, insert, update, delete on idempotency_key to trunkline_app, trunkline_system;

-- Files: bytes live on disk or in S3, the row says what and whose.
create table file (
  company_id bigint not null, id bigint not null default next_id(), key text not null, name text not null, content_type text not null,
  bytes bigint not null, sha256 text not null, purpose text not null, created_at timestamptz not null default now(), deleted_at timestamptz,
  primary key (company_id, id), unique (company_id, key)
);
select tenant_table('file');

-- Mail that development keeps instead of sending (/dev/outbox).
create table mail_outbox (
  id bigint primary key default next_id(), to_address text not null, subject text not null, text text not null, html text not null,
  key text unique, at timestamptz not null default now()
);
select global_table('mail_outbox');
