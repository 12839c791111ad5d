-- Archives of companies that platform staff uploaded: how far each is, and what it holds. The bytes lie
-- in the file storage in `parts`, until the import is done or the file too old.
create table company_import (
  id bigint primary key default next_id(),
  name text not null check (length(name) between 1 and 200),
  bytes bigint not null check (bytes > 0),
  part_bytes int not null,
  received bigint not null default 0 check (received between 0 and bytes),
  -- [{"key": …, "bytes": …}] in the order of the file.
  parts jsonb not null default '[]',
  state text not null default 'uploading' check (state in ('uploading', 'queued', 'checking',
    'ready', 'refused', 'importing', 'done', 'failed')),
  progress int not null default 0 check (progress between 0 and 100),
  report jsonb,
  reasons jsonb not null default '[]',
  failure text,
  created_by bigint not null,
  created_by_name text not null,
  imported_by bigint,
  imported_by_name text,
  -- Why the staff member was in admin mode, for the audit log of the company.
  import_reason text,
  created_at timestamptz not null,
  -- When it went on last: an upload, or a job, that goes on no more was given up.
  moved_at timestamptz not null,
  finished_at timestamptz
);
-- One at a time.
create unique index company_import_active on company_import ((true))
  where state in ('uploading', 'queued', 'checking', 'importing');
create index company_import_age on company_import (created_at);
select global_table('company_import');
