-- A visit of a website: where it came from, the rule that said so, and which number it saw. Rows
-- are deleted by age (retention-rules.ts).
create table tracking_visit (
  company_id bigint not null,
  id bigint not null default next_id(),
  pool_id bigint,
  lease_id bigint,
  -- Null where the visitor didn't agree to be recognized.
  visitor_id text,
  started_at timestamptz not null,
  last_seen_at timestamptz not null,
  url text not null,
  referrer text,
  source_id bigint not null,
  source_key text not null,
  source_label text not null,
  medium text,
  campaign text,
  term text,
  content text,
  click_ids jsonb not null default '{}',
  rule_id text not null,
  evidence text not null,
  device text not null check (device in ('desktop', 'mobile', 'tablet')),
  -- What the visitor saw: a number of their own, one they share, the fixed one of a source, the
  -- default because none was free, or the page as it is.
  outcome text not null check (outcome in ('leased', 'shared', 'static', 'exhausted', 'none')),
  primary key (company_id, id),
  foreign key (company_id, pool_id) references tracking_pool (company_id, id)
);
create index tracking_visit_pool on tracking_visit (company_id, pool_id, started_at desc);
create index tracking_visit_visitor on tracking_visit (company_id, visitor_id, started_at desc);
create index tracking_visit_age on tracking_visit (started_at);
create index concurrently tracking_lease_age on tracking_lease (started_at);
select tenant_table('tracking_visit');
