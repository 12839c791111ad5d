-- Which visit a call or a text came from, as it was known when it arrived. The facts are copied, so
-- that later changes of pools, sources and visits change nothing. Rows are deleted by age
-- (retention-rules.ts); the call keeps its short form in `call.source`.
create table tracking_match (
  company_id bigint not null,
  id bigint not null default next_id(),
  kind text not null check (kind in ('call', 'text')),
  -- The call, or the text's item in its conversation.
  subject_id bigint not null,
  number_id bigint not null,
  party text not null,
  at timestamptz not null,
  pool_id bigint,
  label text not null
    check (label in ('exact', 'recent', 'returning', 'ambiguous', 'number_level')),
  confidence smallint not null check (confidence between 0 and 100),
  -- The pool's attribution model at that time.
  model text not null,
  visitor_id text,
  visit_id bigint,
  lease_id bigint,
  source_id bigint not null,
  source_key text not null,
  source_label text not null,
  medium text,
  campaign text,
  term text,
  content text,
  landing_url text,
  referrer text,
  click_ids jsonb not null default '{}',
  device text,
  rule_id text,
  -- [{fact, value, at}]: why this visit, in the order of weight.
  evidence jsonb not null default '[]',
  -- Every visit that it may have been, with its share in percent.
  candidates jsonb not null default '[]',
  primary key (company_id, id),
  unique (company_id, kind, subject_id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, pool_id) references tracking_pool (company_id, id)
);
create index tracking_match_party on tracking_match (company_id, party, at desc);
create index tracking_match_age on tracking_match (at);
select tenant_table('tracking_match');
