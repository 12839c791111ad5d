-- What was sent in the last second, by number, campaign and brand: rate limits that all workers
-- share. `recent`: [[milliseconds, segments], …]. Capacity is reserved for texts of people until
-- `reserved_until`, and behind them for automatic texts until `automatic_reserved_until`.
create table send_rate (
  company_id bigint not null,
  key text not null,
  recent jsonb not null default '[]',
  reserved_until timestamptz,
  automatic_reserved_until timestamptz,
  primary key (company_id, key)) with (fillfactor = 50
);
select tenant_table('send_rate');
