-- What an alert measured, each time it changed: its chart.
create table alert_sample (
  company_id bigint not null,
  alert_id bigint not null,
  at timestamptz not null,
  value double precision not null,
  primary key (company_id, alert_id, at),
  foreign key (company_id, alert_id) references alert (company_id, id) on delete cascade
);
select tenant_table('alert_sample');
