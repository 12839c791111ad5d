-- Reports on a period read the calls of that period; visits are found by pool. "Not a text" and not "a
-- call", because then the planner can't take the key by subject for it; and looking for a caller or a
-- visitor says nothing of the kind, so it can't take this one.
create index concurrently tracking_match_calls on tracking_match (company_id, at, id) where kind <> 'text';

-- Runs of reports that were kept: what was asked for, and the file with the answer.
create table source_report (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null,
  params jsonb not null,
  as_of timestamptz not null,
  checksum text not null,
  file_id bigint,
  -- The numbers it was limited to, because whoever made it sees only these; null: all.
  number_ids bigint[],
  created_by bigint,
  created_at timestamptz not null,
  primary key (company_id, id)
);
create index source_report_newest on source_report (company_id, created_at desc, id desc);
create index source_report_age on source_report (created_at);
select tenant_table('source_report');
