-- What a carrier reported and we could not store: kept as it came, sealed, until it is stored. Not every carrier says it again.
-- Whose it is, is not known yet, so no company leads it.
create table carrier_report (
  id bigint generated always as identity primary key, path text not null, sealed text not null,
  came_at timestamptz not null default clock_timestamp(), tries int not null default 0, next_at timestamptz not null
);
create index carrier_report_due on carrier_report (next_at);
select global_table('carrier_report');
