-- The networks and apps that show calls from a number as spam, when it was last checked.
alter table number add column spam_labels text[] not null default '{}';

-- Numbers that outside phones of the sandbox reported as spam.
create table sandbox.spam_report (
  number text not null,
  phone text not null,
  at timestamptz not null,
  primary key (number, phone)
);
grant select, insert, update, delete on sandbox.spam_report to trunkline_system;
