-- By which of the company's other numbers a text of this number goes when its carrier certainly did not take it. Without a
-- row nothing ever goes another way.
create table carrier_failover (
  company_id bigint not null, number_id bigint not null, via_number_id bigint not null, updated_at timestamptz not null default now(),
  primary key (company_id, number_id), check (via_number_id <> number_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, via_number_id) references number (company_id, id) on delete cascade
);
create index carrier_failover_via on carrier_failover (company_id, via_number_id);
select tenant_table('carrier_failover');
