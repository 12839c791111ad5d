-- Numbers whose records must stay: neither erasing a person nor age deletes what is theirs.
create table legal_hold (
  company_id bigint not null,
  number text not null,
  reason text not null check (length(reason) between 1 and 500),
  held_by bigint,
  held_by_name text not null,
  held_at timestamptz not null,
  primary key (company_id, number)
);
select tenant_table('legal_hold');
