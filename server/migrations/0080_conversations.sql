-- Everything between one of our numbers and one other party (A10). The latest item and the unread counts stand on the
-- row and change in the item's own transaction: a list never counts.
create table conversation (
  company_id bigint not null, id bigint not null default next_id(), number_id bigint not null,
  -- E.164 of the other side, or 'anonymous'.
  party text not null, contact_id bigint,
  created_at timestamptz not null, last_activity_at timestamptz not null, archived_at timestamptz, deleted_at timestamptz,
  unread_messages int not null default 0, unread_calls int not null default 0, unread_voicemails int not null default 0, unread_faxes int not null default 0,
  unread int generated always as (unread_messages + unread_calls + unread_voicemails + unread_faxes) stored,
  latest_item_id bigint, latest_kind text, latest_inbound boolean, latest_at timestamptz, latest_details jsonb,
  -- When they last wrote to us: within a day of it, even a number not yet approved may answer.
  heard_at timestamptz,
  primary key (company_id, id), unique (company_id, number_id, party),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, contact_id) references contact (company_id, id) on delete set null (contact_id)
);
create index conversation_inbox on conversation (company_id, last_activity_at desc, id desc) where archived_at is null and deleted_at is null;
create index conversation_archive on conversation (company_id, last_activity_at desc, id desc) where archived_at is not null and deleted_at is null;
create index conversation_of_number on conversation (company_id, number_id, last_activity_at desc, id desc) where deleted_at is null;
create index conversation_inbox_of_number on conversation (company_id, number_id, last_activity_at desc, id desc) where archived_at is null and deleted_at is null;
create index conversation_unread on conversation (company_id, number_id) where unread > 0 and deleted_at is null;
create index conversation_contact on conversation (company_id, contact_id) where contact_id is not null;
select tenant_table('conversation');

-- The parties once more, for searching by part of a number: a conversation's row is written anew with every text, and a
-- trigram index on it would be, too. Filled by a trigger, so that no way of making a conversation can forget it.
create table conversation_party (
  company_id bigint not null, conversation_id bigint not null, party text not null,
  primary key (company_id, conversation_id), foreign key (company_id, conversation_id) references conversation (company_id, id) on delete cascade
);
create index conversation_party_digits on conversation_party using gin (company_id, party gin_trgm_ops);
select tenant_table('conversation_party');
create function note_party() returns trigger language plpgsql as $$
begin
  insert into conversation_party (company_id, conversation_id, party) values (new.company_id, new.id, new.party);
  return null;
end $$;
create trigger note_party after insert on conversation for each row execute function note_party();

-- One thing in a conversation. `details` is A10's shape of its kind, except that files stand as ids and are signed when shown.
create table conversation_item (
  company_id bigint not null, id bigint not null default next_id(), conversation_id bigint not null, number_id bigint not null,
  kind text not null check (kind in ('message', 'call', 'voicemail', 'fax', 'note', 'block', 'scheduledmessage', 'trackingmatch')),
  is_inbound boolean not null, created_at timestamptz not null, read_at timestamptz, actor_id bigint, actor_name text,
  details jsonb not null, text text not null default '',
  -- Messages only: where it stands with the carrier.
  delivery_state text check (delivery_state in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'received', 'scheduled', 'canceled', 'unknown')),
  tries int not null default 0, queued_at timestamptz,
  -- Who carried it and under which id: a report that comes twice meets its own row.
  carrier text, provider_event_id text,
  -- What of ours it stands for (`call:12`, `note:3`), once.
  source text,
  deleted_at timestamptz, deleted_by bigint,
  primary key (company_id, id),
  foreign key (company_id, conversation_id) references conversation (company_id, id)
);
create unique index conversation_item_carrier on conversation_item (company_id, carrier, provider_event_id) where provider_event_id is not null;
create unique index conversation_item_source on conversation_item (company_id, source) where source is not null;
create index conversation_item_thread on conversation_item (company_id, conversation_id, created_at desc, id desc) where deleted_at is null;
create index conversation_item_activity on conversation_item (company_id, created_at desc, id desc) where deleted_at is null and kind in ('call', 'message', 'voicemail', 'fax');
create index conversation_item_unread on conversation_item (company_id, conversation_id, kind) where read_at is null and is_inbound and deleted_at is null;
create index conversation_item_waiting on conversation_item (company_id, conversation_id, id) where delivery_state in ('queued', 'sending') and deleted_at is null;
create index conversation_item_pending on conversation_item (company_id, conversation_id) where kind = 'scheduledmessage' and details ->> 'state' = 'pending' and deleted_at is null;
create index conversation_item_search on conversation_item using gin (company_id, text gin_trgm_ops) where deleted_at is null and text <> '';
-- A receipt that names only the carrier's own id has no company to look in first.
create index conversation_item_provider on conversation_item (provider_event_id, carrier) where provider_event_id is not null and not is_inbound;
select tenant_table('conversation_item');

create table note (
  company_id bigint not null, id bigint not null default next_id(), body text not null, model_type text not null check (model_type in ('call', 'message', 'voicemail', 'fax', 'contact', 'conversation', 'number', 'campaign')),
  model_id bigint not null, user_id bigint, user_name text not null default '', mentions bigint[] not null default '{}',
  created_at timestamptz not null, updated_at timestamptz not null, edited boolean not null default false, deleted_at timestamptz,
  primary key (company_id, id)
);
create index note_model on note (company_id, model_type, model_id, id) where deleted_at is null;
select tenant_table('note');

-- Searching. Row-level security forbids trigram indexes to anyone it binds, because their operators are not leakproof. So
-- the match runs as the system role, for one company, which must be the one the transaction is bound to; everything
-- after the match (archive, numbers, paging) stays the caller's, behind row-level security. MATERIALIZED keeps the planner
-- from walking the newest rows one by one until enough of them match.
create function conversations_matching(company bigint, pattern text, digits text, since timestamptz, before timestamptz)
returns table (id bigint) language sql stable rows 50 security definer set search_path = public, pg_temp as $$
  with by_item as materialized (
    select distinct i.conversation_id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before),
  by_contact as materialized (
    select k.id from contact k where pattern is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like lower(pattern)),
  by_party as materialized (
    select p.conversation_id id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits)
  select conversation_id from by_item
  union select c.id from conversation c join by_contact k on c.contact_id = k.id where c.company_id = company
  union select p.id from by_party p
$$;

create function items_matching(company bigint, pattern text, digits text, since timestamptz, before timestamptz)
returns table (id bigint, created_at timestamptz) language sql stable rows 50 security definer set search_path = public, pg_temp as $$
  with by_text as materialized (
    select i.id, i.created_at from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before),
  by_party as materialized (
    select p.conversation_id id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits)
  select t.id, t.created_at from by_text t
  union select i.id, i.created_at from by_party p join conversation_item i on i.company_id = company and i.conversation_id = p.id and i.deleted_at is null and i.created_at >= since and i.created_at < before
$$;
grant create on schema public to trunkline_system;
alter function conversations_matching owner to trunkline_system;
alter function items_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function conversations_matching, items_matching from public;
grant execute on function conversations_matching, items_matching to trunkline_app;

-- A rule for one number names a number of the same company.
alter table block add foreign key (company_id, number_id) references number (company_id, id);
