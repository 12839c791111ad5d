-- Requests to support are answered: who has one, and what was said since.
alter table support_ticket drop constraint support_ticket_status_check;
alter table support_ticket
  -- open: waits for support; answered: waits for the sender.
  add constraint support_ticket_status_check check (status in ('open', 'answered', 'closed')),
  -- Who of the staff looks after it.
  add column assignee_id bigint references person (id),
  -- When something was last said or decided.
  add column changed_at timestamptz;
update support_ticket set changed_at = created_at;
alter table support_ticket alter column changed_at set not null;

create table support_reply (
  company_id bigint not null,
  id bigint not null default next_id(),
  ticket_id bigint not null,
  author_id bigint not null references person (id),
  -- By the staff of the installation; otherwise by the sender of the request.
  by_staff boolean not null,
  message text not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, ticket_id) references support_ticket (company_id, id)
);
create index support_reply_ticket on support_reply (company_id, ticket_id, id);
select tenant_table('support_reply');
