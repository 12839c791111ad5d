-- Who may not be texted: one row a (company, number) while opted out. Kept by number, never by contact, so it survives
-- import, edit, merge, deletion and re-creation.
create table opt_out (
  company_id bigint not null, number text not null, source text not null check (source in ('keyword', 'carrier_error', 'manual', 'import', 'api', 'complaint')),
  number_id bigint, opted_out_at timestamptz not null, primary key (company_id, number)
);
select tenant_table('opt_out');

-- How it came to be so. Append-only: nobody may change or remove a row.
create table opt_out_history (
  company_id bigint not null, id bigint not null default next_id(), number text not null, action text not null check (action in ('out', 'in')),
  source text not null, number_id bigint, proof text, actor_id bigint, at timestamptz not null, primary key (company_id, id)
);
create index opt_out_history_number on opt_out_history (company_id, number, id);
select tenant_table('opt_out_history');
revoke update, delete on opt_out_history from trunkline_app, trunkline_system;

-- Callers kept out (action 1) and exceptions (action 0). `target` is E.164, 'anonymous', or a prefix ending in '*'.
-- `everywhere`: made by platform staff, counts for every company.
create table block (
  company_id bigint not null, id bigint not null default next_id(), target text not null, action smallint not null default 1 check (action in (0, 1)),
  everywhere boolean not null default false, number_id bigint, created_by bigint, created_by_name text, created_at timestamptz not null default now(),
  primary key (company_id, id), unique nulls not distinct (company_id, target, number_id, action, everywhere)
);
create index block_everywhere on block (target) where everywhere;
create index block_newest on block (company_id, id desc);
select tenant_table('block');
create policy everywhere on block for select to trunkline_app using (everywhere);
