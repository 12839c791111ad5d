-- Invoices: written once and never changed. What is paid follows from the books.
create table invoice (
  company_id bigint not null,
  id bigint not null default next_id(),
  -- One sequence for the installation, without gaps.
  number bigint not null check (number > 0),
  kind text not null check (kind in ('invoice', 'credit_note')),
  -- What it is for (`period:2026-11-01…`), once.
  cause text not null,
  issued_at timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  currency text not null,
  total_cents bigint not null,
  -- Name and address as they were.
  bill_to jsonb not null,
  primary key (company_id, id),
  unique (company_id, number),
  unique (company_id, cause),
  check ((kind = 'credit_note') = (total_cents < 0))
);
create index invoice_latest on invoice (company_id, number desc);
select tenant_table('invoice');

create table invoice_line (
  company_id bigint not null,
  invoice_id bigint not null,
  position int not null,
  kind text not null check (kind in ('plan', 'usage', 'proration', 'credit')),
  description text not null,
  -- Usage only: what was used, of which so much is charged.
  component text,
  used bigint,
  quantity bigint not null,
  unit_cents bigint not null,
  amount_cents bigint not null,
  primary key (company_id, invoice_id, position),
  foreign key (company_id, invoice_id) references invoice (company_id, id)
);
select tenant_table('invoice_line');

revoke update, delete on invoice, invoice_line from trunkline_app, trunkline_system;
create trigger append_only before update or delete on invoice
  for each row execute function refuse_change_of_books();
create trigger append_only_truncate before truncate on invoice
  for each statement execute function refuse_change_of_books();
create trigger append_only before update or delete on invoice_line
  for each row execute function refuse_change_of_books();
create trigger append_only_truncate before truncate on invoice_line
  for each statement execute function refuse_change_of_books();

-- The last number given. Its row is locked until the invoice is committed or not, so none is
-- missing and none comes twice.
create table invoice_counter (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into invoice_counter (last) values (0);
select global_table('invoice_counter');
create function next_invoice_number() returns bigint
language sql security definer set search_path = public, pg_temp as $$
  update invoice_counter set last = last + 1 returning last
$$;
revoke execute on function next_invoice_number from public;
grant execute on function next_invoice_number to trunkline_app, trunkline_system;
