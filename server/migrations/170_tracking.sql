-- Sources of visitors that a company made itself; those of everyone are a list in the contract.
-- `rules`: [{id, on, match, name, value}]; `key` is written into addresses and never changes.
create table tracking_source (
  company_id bigint not null,
  id bigint not null default next_id(),
  key text not null,
  label text not null,
  kind text not null check (kind in ('online', 'offline')),
  source_group text not null,
  position int not null,
  rules jsonb not null default '[]',
  -- The number of the last rule that was added: visits keep the ID of the rule that decided.
  last_rule int not null default 0,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index tracking_source_label on tracking_source (company_id, lower(label));
create unique index tracking_source_key on tracking_source (company_id, key);
select tenant_table('tracking_source');
