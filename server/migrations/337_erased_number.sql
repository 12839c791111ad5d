-- That a number was erased in a company: a hash with the installation's key, so nobody reads the number
-- here. It outlives the company, whose archive may be imported again: no foreign key.
create table erased_number (
  company_id bigint not null,
  hash text not null,
  erased_at timestamptz not null,
  primary key (company_id, hash)
);
create index erased_number_age on erased_number (erased_at);
alter table erased_number enable row level security;
alter table erased_number force row level security;
create policy company on erased_number to trunkline_app
  using (company_id = current_company()) with check (company_id = current_company());
create policy system on erased_number to trunkline_system using (true) with check (true);
grant select, insert, update, delete on erased_number to trunkline_app, trunkline_system;
