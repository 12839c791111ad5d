-- What a company should look at: one open alert for each kind and subject.
create table alert (
  company_id bigint not null,
  id bigint not null default next_id(),
  kind text not null,
  severity text not null check (severity in ('critical', 'warning', 'info')),
  state text not null default 'open'
    check (state in ('open', 'acknowledged', 'resolved', 'dismissed')),
  subject_type text not null,
  subject_id bigint not null,
  subject_label text not null,
  message text not null,
  metric jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  occurrences int not null default 1,
  -- Checks in a row that found nothing.
  clear_checks int not null default 0,
  resolved_at timestamptz,
  resolved_by bigint,
  resolved_by_name text,
  comment text,
  reason text check (reason in ('not-relevant', 'already-aware', 'duplicate', 'other')),
  mailed_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, id)
);
create unique index alert_open on alert (company_id, kind, subject_type, subject_id)
  where state in ('open', 'acknowledged');
create index alert_latest on alert (company_id, last_seen_at desc, id desc);
create index alert_dismissed on alert (company_id, kind, subject_type, subject_id, resolved_at desc)
  where state = 'dismissed';
select tenant_table('alert');

create table alert_change (
  company_id bigint not null,
  id bigint not null default next_id(),
  alert_id bigint not null,
  at timestamptz not null,
  actor_id bigint,
  actor_name text,
  from_state text,
  to_state text not null,
  reason text,
  comment text,
  metric jsonb,
  primary key (company_id, id),
  foreign key (company_id, alert_id) references alert (company_id, id) on delete cascade
);
create index alert_change_alert on alert_change (company_id, alert_id, id desc);
select tenant_table('alert_change');

-- When a company's checks ran last; a company that isn't listed was never checked.
create table alert_check (
  company_id bigint primary key,
  five_minutes_at timestamptz not null,
  quarter_at timestamptz not null,
  hour_at timestamptz not null,
  day_at timestamptz not null
);
create index alert_check_due on alert_check (five_minutes_at);
select tenant_table('alert_check');
