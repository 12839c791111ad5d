-- A file of contacts on its way into the book. The file itself was read once, into rows (one JSON list a line) kept as a file.
create table contact_import (
  company_id bigint not null, id bigint not null default next_id(), file_name text not null, format text not null check (format in ('csv', 'xlsx')), bytes bigint not null,
  headers jsonb not null, headers_key text not null, sample jsonb not null, row_count int not null check (row_count > 0), rows_file_id bigint,
  state text not null default 'uploaded' check (state in ('uploaded', 'running', 'finished', 'failed', 'undoing', 'undone')),
  mapping jsonb not null, remembered boolean not null default false, options jsonb not null default '{}',
  batch_id uuid, undo_batch_id uuid,
  -- Where the next row begins in the file of rows: a job that was killed goes on from here.
  next_byte bigint not null default 0, processed int not null default 0,
  created int not null default 0, updated int not null default 0, unchanged int not null default 0, skipped int not null default 0, noted int not null default 0, skipped_by jsonb not null default '{}',
  result_file_id bigint, mistakes_file_id bigint, failure text, undone jsonb,
  created_by bigint, created_by_name text not null default '', created_at timestamptz not null, started_at timestamptz, finished_at timestamptz, undone_at timestamptz,
  primary key (company_id, id), foreign key (company_id, rows_file_id) references file (company_id, id), foreign key (company_id, result_file_id) references file (company_id, id), foreign key (company_id, mistakes_file_id) references file (company_id, id)
);
create index contact_import_newest on contact_import (company_id, id desc);
create index contact_import_batch on contact_import (company_id, batch_id) where batch_id is not null;
create index contact_import_undo_batch on contact_import (company_id, undo_batch_id) where undo_batch_id is not null;
create index contact_import_old on contact_import (created_at) where rows_file_id is not null or result_file_id is not null;
select tenant_table('contact_import');

-- What became of each row, a batch of rows at a time, in the order of the file: [{ r: row, o: outcome, … }]. Written with the
-- contacts in one transaction; the result file and undo read it.
create table contact_import_chunk (
  company_id bigint not null, import_id bigint not null, n int not null, at timestamptz not null, rows json not null, undone_at timestamptz,
  primary key (company_id, import_id, n), foreign key (company_id, import_id) references contact_import (company_id, id) on delete cascade
);
select tenant_table('contact_import_chunk');

-- Where the columns of files with these headers went the last time.
create table contact_import_mapping (
  company_id bigint not null, headers_key text not null, mapping jsonb not null, used_at timestamptz not null, primary key (company_id, headers_key)
);
select tenant_table('contact_import_mapping');

-- What later modules know of numbers that are about to be imported; asking needs to know none of them. The most exact rule
-- decides, an exception before a block (as isKeptOut in compliance/rules.ts), among those that hold for the whole company.
create function contact_import_facts(company bigint, among text[]) returns table (number text, opted_out_at timestamptz, blocked boolean) language sql stable as $$
  with rule as (select b.target, b.action, b.everywhere from block b where (b.company_id = company or b.everywhere) and b.number_id is null and (b.target = any (among) or right(b.target, 1) = '*')),
  decided as (
    select distinct on (n.number) n.number, r.action = 1 as blocked from unnest(among) n (number) join rule r on r.target = n.number or (right(r.target, 1) = '*' and starts_with(n.number, left(r.target, -1)))
    order by n.number, (case when right(r.target, 1) = '*' then length(r.target) else 100 end) * 8 + case when r.everywhere then 0 else 2 end + case when r.action = 0 then 1 else 0 end desc)
  select n.number, o.opted_out_at, coalesce(d.blocked, false) from unnest(among) n (number)
    left join opt_out o on o.company_id = company and o.number = n.number left join decided d on d.number = n.number
    where o.number is not null or d.blocked
$$;
-- Numbers that somebody called or wrote to: their contacts are no longer just rows of a file.
create function numbers_with_activity(company bigint, among text[]) returns table (number text) language sql stable as $$
  select c.party from conversation c where c.company_id = company and c.party = any (among)
  union select k.party from call k where k.company_id = company and k.party = any (among)
$$;
