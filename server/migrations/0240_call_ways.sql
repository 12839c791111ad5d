-- By which other number calls go, and when: only while the carrier is away, or also when it refuses one.
alter table carrier_failover add column texts boolean not null default true,
  add column calls text not null default 'never' check (calls in ('never', 'away', 'refused'));

-- A leg that went to another carrier because the call's own did not take it, and the line by which the two carriers hear
-- each other: the own carrier dials the number the company has at the other one. `line` and `far_line` are its two ends.
create table call_way (
  company_id bigint not null, call_id bigint not null, leg text not null,
  carrier text not null, via_number_id bigint not null, via_number text not null,
  line text not null, far_line text, from_number text not null,
  state text not null default 'asked' check (state in ('asked', 'arrived', 'over')),
  -- How the leg is rung, once the line has arrived.
  ring jsonb not null, asked_at timestamptz not null,
  primary key (company_id, call_id, leg), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
select tenant_table('call_way');
-- A line is known by its two numbers alone: one at a time may be on its way between them.
create unique index call_way_asked on call_way (company_id, via_number, from_number) where state = 'asked';
create index call_way_expected on call_way (via_number) where state = 'asked';

alter table live_call add column tied boolean not null default false;
-- Null: the call's own carrier performs it.
alter table call_command add column carrier text;
