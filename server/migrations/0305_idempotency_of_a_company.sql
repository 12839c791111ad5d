-- The first answers of requests with an Idempotency-Key belong to the company acted in (0: an answer about no company) and to
-- the person who asked; nobody else's transaction sees them. They may hold tokens, so they are stored sealed. What the old
-- table kept lies there in the clear and for at most a day, so it is not carried over.
drop table idempotency_key;
create table idempotency_key (
  company_id bigint not null, person_id bigint not null, key text not null, fingerprint text not null,
  -- Null while the request still runs.
  status int, body_sealed text,
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
