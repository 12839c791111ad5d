-- Searches and reports that people come back to: the address of a screen with its filters, as text.
create table favorite_report (
  company_id bigint not null,
  id bigint not null default next_id(),
  user_id bigint not null,
  name text not null check (length(name) between 1 and 80),
  value text not null check (length(value) <= 20000),
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index favorite_report_name on favorite_report (company_id, user_id, lower(name));
create index favorite_report_shared on favorite_report (company_id) where shared;
select tenant_table('favorite_report');
