-- The inbox that teams live in: who has a conversation, until when it sleeps, who is at it, and what a team writes again and again.
alter table conversation
  add column assigned_to bigint, add column assigned_name text, add column assigned_at timestamptz,
  -- Asleep until then. A sleeping conversation is put away as well (archived_at), so the inbox needs no further rule.
  add column snoozed_until timestamptz, add column snoozed_by bigint;
create index conversation_assigned on conversation (company_id, assigned_to, last_activity_at desc, id desc) where assigned_to is not null and archived_at is null and deleted_at is null;
create index conversation_unassigned on conversation (company_id, last_activity_at desc, id desc) where assigned_to is null and archived_at is null and deleted_at is null;
create index conversation_snoozed on conversation (company_id, last_activity_at desc, id desc) where snoozed_until is not null and deleted_at is null;
-- Whatever brings a conversation back ends its sleep, whoever does it.
create function wake_conversation() returns trigger language plpgsql as $$
begin
  new.snoozed_until := null; new.snoozed_by := null;
  return new;
end $$;
create trigger wake_conversation before update of archived_at on conversation for each row when (new.archived_at is null and new.snoozed_until is not null) execute function wake_conversation();

-- Who has a conversation open now, or writes in it. Told again while it lasts; a line that is old says nothing.
create table conversation_presence (
  company_id bigint not null, conversation_id bigint not null, user_id bigint not null, name text not null,
  state text not null check (state in ('viewing', 'replying')), at timestamptz not null,
  primary key (company_id, conversation_id, user_id),
  foreign key (company_id, conversation_id) references conversation (company_id, id) on delete cascade
);
create index conversation_presence_at on conversation_presence (company_id, at);
select tenant_table('conversation_presence');

-- Answers written once. owner_id's own, or everybody's.
create table canned_reply (
  company_id bigint not null, id bigint not null default next_id(), owner_id bigint not null, owner_name text not null, shared boolean not null,
  shortcut text not null, title text not null, body text not null, created_at timestamptz not null, updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index canned_reply_shared on canned_reply (company_id, lower(shortcut)) where shared;
create unique index canned_reply_own on canned_reply (company_id, owner_id, lower(shortcut)) where not shared;
select tenant_table('canned_reply');

-- A way of looking at the inbox, with a name. `filters` is the contract's shape.
create table inbox_view (
  company_id bigint not null, id bigint not null default next_id(), owner_id bigint not null, owner_name text not null, shared boolean not null,
  name text not null, filters jsonb not null, created_at timestamptz not null, updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index inbox_view_shared on inbox_view (company_id, lower(name)) where shared;
create unique index inbox_view_own on inbox_view (company_id, owner_id, lower(name)) where not shared;
select tenant_table('inbox_view');

-- What a number texts by itself. Null: nothing.
create table number_auto_text (
  company_id bigint not null, number_id bigint not null, after_hours text, text_back text, updated_at timestamptz not null,
  primary key (company_id, number_id), foreign key (company_id, number_id) references number (company_id, id)
);
select tenant_table('number_auto_text');
-- When each party last got one.
create table auto_text_sent (
  company_id bigint not null, number_id bigint not null, party text not null, kind text not null check (kind in ('after_hours', 'text_back')), at timestamptz not null,
  primary key (company_id, number_id, party, kind), foreign key (company_id, number_id) references number (company_id, id)
);
select tenant_table('auto_text_sent');

-- How a person wants to hear of what happens in a company; without a row the defaults of the contract hold.
create table notification_setting (
  company_id bigint not null, user_id bigint not null, kinds jsonb not null default '{}',
  -- Empty: every number the person sees.
  number_ids bigint[] not null default '{}',
  quiet boolean not null default false, quiet_from text not null default '20:00', quiet_to text not null default '08:00', timezone text,
  updated_at timestamptz not null, primary key (company_id, user_id)
);
select tenant_table('notification_setting');
-- What waits to be mailed to a person about one conversation: one mail of five minutes.
create table notification_digest (
  company_id bigint not null, user_id bigint not null, conversation_id bigint not null, lines jsonb not null default '[]', due_at timestamptz not null, created_at timestamptz not null,
  primary key (company_id, user_id, conversation_id)
);
select tenant_table('notification_digest');
