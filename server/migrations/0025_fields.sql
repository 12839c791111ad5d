-- The catalogue of tags (decisions A25). Names are unique in a company, ignoring case.
create table tag (
  company_id bigint not null, id bigint not null default next_id(), name text not null check (length(name) between 1 and 50),
  name_key text not null generated always as (lower(name)) stored, color text not null, scope text not null default 'company' check (scope in ('company', 'organization')),
  created_by bigint, created_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, name_key)
);
select tenant_table('tag');
