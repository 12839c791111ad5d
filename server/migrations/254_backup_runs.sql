-- When the installation was backed up, and whether a copy was started from it: what the status page
-- and the metrics say about the last good backup.
create table backup_run (
  id bigint primary key default next_id(),
  name text not null,
  place text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  bytes bigint not null,
  -- Why there is no backup; null: there is one.
  error text,
  checked_at timestamptz,
  -- What was wrong with the copy; null: nothing, or it wasn't checked.
  check_error text
);
create index backup_run_finished on backup_run (finished_at);
select global_table('backup_run');
