-- What a genuine carrier reported and could not be stored: kept until it is. Whose it is, is not known yet, so no company leads it.
create table carrier_report (
  id bigint generated always as identity primary key, carrier text not null, kind text not null, reports jsonb not null,
  came_at timestamptz not null default clock_timestamp(), tries int not null default 0, next_at timestamptz not null default clock_timestamp()
);
create index carrier_report_due on carrier_report (next_at);
select global_table('carrier_report');
