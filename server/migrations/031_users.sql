-- An email address that takes effect when the person enters the code mailed to it.
alter table person add column pending_email text;

-- A transfer of ownership that waits for the new owner. One at a time: accepted, canceled and
-- expired ones are deleted, and the audit log keeps what happened.
create table ownership_transfer (
  company_id bigint primary key,
  from_user_id bigint not null,
  to_user_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (company_id, from_user_id) references membership (company_id, user_id)
    on delete cascade,
  foreign key (company_id, to_user_id) references membership (company_id, user_id)
    on delete cascade
);
create index ownership_transfer_from on ownership_transfer (company_id, from_user_id);
create index ownership_transfer_to on ownership_transfer (company_id, to_user_id);
select tenant_table('ownership_transfer');

-- Each module that mails codes has its own purposes.
alter table sent_code drop constraint if exists sent_code_purpose_check;
alter table sent_code add check (purpose ~ '^[a-z_]{1,40}$');
