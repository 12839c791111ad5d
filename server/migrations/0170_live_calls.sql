-- A call that waits in a numbered slot of the company. A row as long as the slot is taken, so that no two calls share one.
create table parked_call (
  company_id bigint not null, slot int not null check (slot between 1 and 99), call_id bigint not null, until timestamptz not null,
  primary key (company_id, slot), unique (company_id, call_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
select tenant_table('parked_call');

-- Supervisors have legs of their own.
alter table call_leg drop constraint call_leg_role_check;
alter table call_leg add constraint call_leg_role_check check (role in ('caller', 'agent', 'target', 'monitor'));
