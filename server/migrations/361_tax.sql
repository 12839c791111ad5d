-- Tax on invoices. Each change is a row of its own, so that one sees what held when; the newest holds.
create table billing_tax (
  id bigint primary key default next_id(),
  name text not null check (length(name) <= 40),
  -- Thousandths of a percent: 8875 is 8.875 %. Zero: no tax.
  rate int not null check (rate between 0 and 100000),
  -- Whether prices include it.
  included boolean not null,
  -- The operator's own number at the tax office, printed on invoices.
  seller_tax_id text not null default '' check (length(seller_tax_id) <= 40),
  changed_by bigint not null,
  changed_by_name text not null,
  changed_at timestamptz not null,
  check (rate = 0 or name <> '')
);
select global_table('billing_tax');

-- Invoices are issued by the application's role, which has no grant on tables of the installation.
create function installation_tax() returns table (name text, rate int, included boolean, seller_tax_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.name, t.rate, t.included, t.seller_tax_id from billing_tax t order by t.id desc limit 1
$$;
revoke execute on function installation_tax from public;
grant execute on function installation_tax to trunkline_app, trunkline_system;

-- Accounts whose tax differs from the installation's.
create table billing_tax_exception (
  company_id bigint primary key,
  treatment text not null check (treatment in ('exempt', 'rate')),
  -- Exempt: why, and the number of the certificate or registration that says so.
  reason text not null default '' check (length(reason) <= 100),
  number text not null default '' check (length(number) <= 40),
  -- A rate of another place.
  name text not null default '' check (length(name) <= 40),
  rate int not null default 0 check (rate between 0 and 100000),
  updated_at timestamptz not null,
  check ((treatment = 'exempt' and reason <> '') or (treatment = 'rate' and name <> '' and rate > 0))
);
select tenant_table('billing_tax_exception');

-- What an invoice's tax was when it was issued: its sum, and its rule. Part of `total_cents`.
alter table invoice
  add column tax_cents bigint not null default 0,
  add column tax jsonb;

alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('charge', 'payment', 'credit', 'refund', 'correction', 'tax'));
