-- The baseline of 1.0: one file a module, in the order of modules.mjs; changes are new files after
-- these. A foreign key or function that needs a table of a later module stands in the file of that
-- module.
--
-- Tables that grow by bulk work are analyzed after a few hundred changes (autovacuum_analyze_…) and
-- not after a tenth of the table: docs/decisions/0050-lookups-without-statistics.md. Their
-- trigram indexes take new entries in small lots (gin_pending_list_limit, kB), because every search
-- reads what still waits for its lot.

-- Roles: the application works as trunkline_app, which row-level security binds; relay, jobs and
-- directories work as trunkline_system.
do $$ begin
  if not exists (select from pg_roles where rolname = 'trunkline_app') then
    create role trunkline_app nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'trunkline_system') then
    create role trunkline_system nologin;
  end if;
end $$;
grant trunkline_app, trunkline_system to current_user;
grant usage on schema public to trunkline_app, trunkline_system;

create extension if not exists pg_trgm;

create sequence id_counter;
grant usage on sequence id_counter to trunkline_app, trunkline_system;

-- Time-ordered ids below 2^53: the time since 2024 in 1/4096 ms, plus up to 64 ms so that the lowest
-- 18 bits are those of a counter. So ids ascend in the order in which they are made, also within one
-- microsecond and when the counter's bits wrap around. Unique within (company, table).
create function next_id() returns bigint language sql volatile as $$
  select ((((extract(epoch from clock_timestamp()) * 1000000)::bigint - 1704067200000000) * 4096 / 1000
    - (nextval('id_counter') & 262143) + 262143) & ~262143::bigint)
    + (currval('id_counter') & 262143)
$$;

-- Company and person of the transaction; null outside of one.
create function current_company() returns bigint language sql stable as $$
  select nullif(current_setting('app.company_id', true), '')::bigint
$$;

create function current_person() returns bigint language sql stable as $$
  select nullif(current_setting('app.user_id', true), '')::bigint
$$;

-- Makes a table a company's: row-level security for the application's role, and a foreign key, so
-- that a company with numbers or activity cannot be deleted.
create function tenant_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I add foreign key (company_id) references company (id)', name);
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy company on %I to trunkline_app using (company_id = current_company()) with check (company_id = current_company())', name);
  execute format('create policy system on %I to trunkline_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to trunkline_app, trunkline_system', name);
end $$;

-- A table of no company (directories, people's own rows): only the system role reads and writes it.
create function global_table(name text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to trunkline_system', name);
end $$;

-- Events, written in the transaction that caused them and published by the relay. `seq` is the
-- order of publication: a sequence (`id`) is not commit order, and the relay alone numbers events,
-- so none can appear behind one that was published, and a transaction that stays open delays
-- nobody.
create table outbox (
  id bigint generated always as identity primary key,
  company_id bigint,
  event text not null,
  data jsonb not null,
  channel_key bigint,
  number_id bigint,
  at timestamptz not null default clock_timestamp(),
  seq bigint,
  -- Caused by bulk work (an import, a bulk change): its subscribers run in the bulk lane too.
  bulk boolean not null default false
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create unique index outbox_seq on outbox (seq) where seq is not null;
create index outbox_company on outbox (company_id, seq);
create index outbox_to_publish on outbox (id) where seq is null;
alter table outbox enable row level security;
alter table outbox force row level security;
create policy company on outbox for insert to trunkline_app
  with check (company_id is null or company_id = current_company());
create policy system on outbox to trunkline_system using (true) with check (true);
grant insert on outbox to trunkline_app;
grant select, insert, update, delete on outbox to trunkline_system;

create table outbox_cursor (
  only_row boolean primary key default true check (only_row),
  last_seq bigint not null
);
select global_table('outbox_cursor');
insert into outbox_cursor (last_seq) values (0);

-- Jobs are enqueued in the business transaction; the queue's own tables stay closed to the
-- application's role. Without `run_at` a job is due now by the clock, not by the start of the
-- transaction: the queue takes jobs that are due at the same moment in any order.
create function enqueue_job(
  job text, payload json, queue text, run_at timestamptz, attempts int, key text, key_mode text
)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(job, payload, queue, coalesce(run_at, clock_timestamp()), attempts, key, null, null, coalesce(key_mode, 'replace'));
end $$;
grant execute on function enqueue_job to trunkline_app, trunkline_system;

-- Many jobs in one statement, due in their order. Bulk jobs have a lower priority, so that workers
-- looking for other work need not scan past thousands of them.
create function enqueue_jobs(job text, payloads json[], bulk boolean)
returns void language sql security definer set search_path = public, pg_temp as $$
  select graphile_worker.add_job(job, p.payload, null, clock_timestamp(), 25, null, case when bulk then 10 else 0 end) from unnest(payloads) with ordinality p(payload, n) order by p.n
$$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to trunkline_app, trunkline_system;

-- Who owns what until when: the jobs a worker has locked, the recipients a dispatcher has claimed.
-- `name` is what they are claimed under; `owner` is the number of the process, which holds the
-- advisory lock (7203, owner) as long as it is connected.
create table lease (
  name text primary key,
  owner int not null,
  renewed_at timestamptz not null,
  until timestamptz not null
);
select global_table('lease');

-- Has the owner died? Nobody holds its lock, and it has not renewed its lease for a while in which
-- a process that only lost its connection would have come back. After a start of the database
-- everybody gets time to reconnect.
create function lease_owner_died(l lease)
returns boolean language sql volatile set search_path = pg_catalog, pg_temp as $$
  select l.renewed_at < clock_timestamp() - interval '2.5 seconds'
    and pg_postmaster_start_time() < clock_timestamp() - interval '6 seconds'
    and not exists (
      select from pg_locks k
      where k.locktype = 'advisory' and k.classid = 7203 and k.objid = l.owner::bigint::oid
        and k.objsubid = 2 and k.granted
        and k.database = (select d.oid from pg_database d where d.datname = current_database()))
$$;
grant execute on function lease_owner_died to trunkline_system;

-- The first response to a request with an Idempotency-Key. It belongs to the company of the request
-- (0: to none) and to the person who sent it; no other transaction sees it. Responses may hold
-- tokens, so they are sealed.
create table idempotency_key (
  company_id bigint not null,
  person_id bigint not null,
  key text not null,
  fingerprint text not null,
  -- Null while the request still runs.
  status int,
  body_sealed text,
  at timestamptz not null,
  primary key (company_id, person_id, key)
);
create index idempotency_key_at on idempotency_key (at);
alter table idempotency_key enable row level security;
alter table idempotency_key force row level security;
create policy company on idempotency_key to trunkline_app
  using (company_id = coalesce(current_company(), 0) and person_id = current_person())
  with check (company_id = coalesce(current_company(), 0) and person_id = current_person());
create policy system on idempotency_key to trunkline_system using (true) with check (true);
grant select, insert, update, delete on idempotency_key to trunkline_app;
grant select, delete on idempotency_key to trunkline_system;

-- The bytes are on disk or in S3; the row says what a file is and whose. 0020 makes it a table of
-- companies.
create table file (
  company_id bigint not null,
  id bigint not null default next_id(),
  key text not null,
  name text not null,
  content_type text not null,
  bytes bigint not null,
  sha256 text not null,
  purpose text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Files made to be fetched soon (exports): deleted after this, with their bytes.
  delete_after timestamptz,
  primary key (company_id, id),
  unique (company_id, key)
);
create index file_old on file (delete_after) where delete_after is not null and deleted_at is null;

-- A long job and its progress. `input` says what to do; `processed` is where to resume after a
-- crash.
create table batch (
  company_id bigint not null,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  input jsonb not null,
  total int not null check (total >= 0),
  processed int not null default 0,
  failed int not null default 0,
  errors jsonb not null default '[]',
  result jsonb not null default '[]',
  result_url text,
  created_by bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (company_id, id),
  check (processed <= total),
  check (failed <= processed)
);
create index batch_newest on batch (company_id, created_at desc);
create index batch_old on batch (finished_at) where finished_at is not null;

-- Every mail, from when it is written until the mail server has accepted it. The contents are
-- sealed: they hold links and codes.
create table mail_outbox (
  id bigint primary key default next_id(),
  to_address text not null,
  key text unique,
  at timestamptz not null default now(),
  -- Null once the mail server has accepted it.
  sealed text,
  -- Not worth sending after this.
  expires_at timestamptz,
  attempts int not null default 0,
  sent_at timestamptz,
  -- Given up; `error` says why.
  failed_at timestamptz,
  error text
);
create index mail_outbox_failed on mail_outbox (failed_at) where failed_at is not null;
select global_table('mail_outbox');

-- A mail and the job that sends it, in the transaction that caused it. A key that was used before
-- writes nothing.
create function queue_mail(
  recipient text, sealed_mail text, mail_key text, expires timestamptz, written timestamptz,
  job text, attempts int
)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare mail_id bigint;
begin
  insert into mail_outbox (to_address, sealed, key, expires_at, at) values (recipient, sealed_mail, mail_key, expires, written)
    on conflict (key) do nothing returning id into mail_id;
  if mail_id is not null then
    perform graphile_worker.add_job(job, json_build_object('mailId', mail_id), job, null, attempts);
  end if;
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to trunkline_app, trunkline_system;

-- Only the owner of a table may analyze it; a bulk job that wrote many rows asks for it here.
create function analyze_tables(tables text[])
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare one text;
begin
  foreach one in array tables loop
    if one not in ('contact', 'contact_number', 'contact_activity', 'contact_group_member', 'contact_label_use', 'opt_out', 'campaign_recipient', 'number') then raise 'statistics of % are nobody''s to ask for', one; end if;
    execute format('analyze (skip_locked) %I', one);
  end loop;
end $$;
revoke execute on function analyze_tables from public;
grant execute on function analyze_tables to trunkline_system;

-- What APP_SECRET makes of a fixed text. A process with another secret could read nothing that is
-- sealed, and finds that out at its start. Only the owner's connection reads it; the product's
-- roles have no right to it.
create table secret_check (
  only_row boolean primary key default true check (only_row),
  signature text not null,
  at timestamptz not null default now()
);

-- An adapter's record of a call leg: which of the carrier's calls it is, and what it should be
-- doing. A carrier that lost our answer asks again and gets the same one, from whichever process
-- answers. Looked up by the carrier's own ids before any company is known.
create table carrier_leg (
  carrier text not null,
  leg text not null,
  call text not null,
  -- The carrier's id of this leg, once known.
  carrier_ref text,
  from_number text,
  to_number text,
  inbound boolean not null,
  state text not null default 'wanted'
    check (state in ('wanted', 'asked', 'ringing', 'answered', 'ended')),
  cause text,
  -- The instruction, in the adapter's own format. `desired_version` counts its changes; `delivered_version` is the
  -- last one delivered to the carrier.
  doing jsonb not null default '{"kind": "wait"}',
  desired_version int not null default 0,
  delivered_version int not null default 0,
  facts jsonb not null default '{}',
  done text[] not null default '{}',
  created_at timestamptz not null default now(),
  requested_at timestamptz,
  ended_at timestamptz,
  primary key (carrier, leg)
);
create unique index carrier_leg_ref on carrier_leg (carrier, carrier_ref)
  where carrier_ref is not null;
create index carrier_leg_call on carrier_leg (carrier, call);
create index carrier_leg_old on carrier_leg (created_at);
select global_table('carrier_leg');

-- Other objects at a carrier that must be created once and found again by our key: texts,
-- recordings, rooms.
create table carrier_object (
  carrier text not null,
  kind text not null,
  key text not null,
  carrier_ref text,
  facts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (carrier, kind, key)
);
create unique index carrier_object_ref on carrier_object (carrier, kind, carrier_ref)
  where carrier_ref is not null;
create index carrier_object_old on carrier_object (created_at);
select global_table('carrier_object');

-- Webhooks of carriers that could not be stored: kept as they came, sealed, until they are. Not
-- every carrier sends them again. Whose they are is not known yet.
create table webhook_retry (
  id bigint generated always as identity primary key,
  path text not null,
  sealed text not null,
  received_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  next_at timestamptz not null
);
create index webhook_retry_due on webhook_retry (next_at);
select global_table('webhook_retry');

-- Answers kept for an Idempotency-Key are sealed anew when APP_SECRET changes; nothing else of them is the system's to change.
grant update (body_sealed) on idempotency_key to trunkline_system;
