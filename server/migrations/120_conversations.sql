-- Everything between one of our numbers and one other party. The latest item and the unread counts
-- are on the row and change with the item in one transaction: a list never counts.
create table conversation (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  -- E.164 of the other side, or 'anonymous'.
  party text not null,
  contact_id bigint,
  created_at timestamptz not null,
  last_activity_at timestamptz not null,
  archived_at timestamptz,
  deleted_at timestamptz,
  unread_messages int not null default 0,
  unread_calls int not null default 0,
  unread_voicemails int not null default 0,
  unread_faxes int not null default 0,
  unread int
    generated always as (unread_messages + unread_calls + unread_voicemails + unread_faxes) stored,
  latest_item_id bigint,
  latest_kind text,
  latest_inbound boolean,
  latest_at timestamptz,
  latest_details jsonb,
  -- When they last wrote to us: within a day of it, even an unregistered number may reply.
  last_inbound_at timestamptz,
  assigned_to bigint,
  assigned_name text,
  assigned_at timestamptz,
  -- A snoozed conversation is archived as well (archived_at), so the inbox needs no further
  -- condition.
  snoozed_until timestamptz,
  snoozed_by bigint,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, contact_id)
    references contact (company_id, id) on delete set null (contact_id)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index conversation_inbox on conversation (company_id, last_activity_at desc, id desc)
  where archived_at is null and deleted_at is null;
create index conversation_archive on conversation (company_id, last_activity_at desc, id desc)
  where archived_at is not null and deleted_at is null;
create index conversation_of_number
  on conversation (company_id, number_id, last_activity_at desc, id desc)
  where deleted_at is null;
create index conversation_inbox_of_number
  on conversation (company_id, number_id, last_activity_at desc, id desc)
  where archived_at is null and deleted_at is null;
-- By `archived_at`, because archived conversations keep what was never read, and those pile up.
create index conversation_unread on conversation (company_id, archived_at, number_id)
  where unread > 0 and deleted_at is null;
create index conversation_contact on conversation (company_id, contact_id)
  where contact_id is not null;
create index conversation_assigned
  on conversation (company_id, assigned_to, last_activity_at desc, id desc)
  where assigned_to is not null and archived_at is null and deleted_at is null;
create index conversation_unassigned on conversation (company_id, last_activity_at desc, id desc)
  where assigned_to is null and archived_at is null and deleted_at is null;
create index conversation_snoozed on conversation (company_id, last_activity_at desc, id desc)
  where snoozed_until is not null and deleted_at is null;
-- For search, which includes archived conversations.
create index conversation_recent on conversation (company_id, last_activity_at desc, id desc)
  where deleted_at is null;
create index conversation_of_person
  on conversation (company_id, assigned_to, last_activity_at desc, id desc)
  where assigned_to is not null and deleted_at is null;
-- Partial, though the condition is true of every row: to a planner without statistics any index
-- that begins with company_id looks as good as the primary key for the foreign key check of a new
-- item, and it once took the one of parties, reading all the company's conversations for each text.
-- This one is open only to queries that name a party.
create unique index conversation_of_pair on conversation (company_id, party, number_id)
  where party is not null;
select tenant_table('conversation');

-- Whatever unarchives a conversation ends its snooze.
create function wake_conversation() returns trigger language plpgsql as $$
begin
  new.snoozed_until := null; new.snoozed_by := null;
  return new;
end $$;
create trigger wake_conversation before update of archived_at on conversation
  for each row
  when (new.archived_at is null and new.snoozed_until is not null)
  execute function wake_conversation();

-- The parties once more, for search by part of a number: the row of a conversation is rewritten
-- with every text, and a trigram index on it would be too. A trigger fills it, so that no way of
-- creating a conversation can forget it.
create table conversation_party (
  company_id bigint not null,
  conversation_id bigint not null,
  party text not null,
  primary key (company_id, conversation_id),
  foreign key (company_id, conversation_id)
    references conversation (company_id, id) on delete cascade
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index conversation_party_digits
  on conversation_party using gin (company_id, party gin_trgm_ops)
  with (gin_pending_list_limit = 256);
select tenant_table('conversation_party');

create function note_party() returns trigger language plpgsql as $$
begin
  insert into conversation_party (company_id, conversation_id, party) values (new.company_id, new.id, new.party);
  return null;
end $$;
create trigger note_party after insert on conversation for each row execute function note_party();

-- A message, call, note … of a conversation. `details` is the shape of its kind in the contract,
-- except that files are ids, signed when shown.
create table conversation_item (
  company_id bigint not null,
  id bigint not null default next_id(),
  conversation_id bigint not null,
  number_id bigint not null,
  kind text not null
    check (kind in (
      'message', 'call', 'voicemail', 'fax', 'note', 'block', 'scheduledmessage', 'trackingmatch'
    )),
  is_inbound boolean not null,
  created_at timestamptz not null,
  read_at timestamptz,
  actor_id bigint,
  actor_name text,
  details jsonb not null,
  text text not null default '',
  -- Messages only: the delivery status.
  delivery_state text
    check (delivery_state in (
      'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'received', 'scheduled',
      'canceled', 'unknown'
    )),
  tries int not null default 0,
  queued_at timestamptz,
  -- Who carried it and under which id: a webhook that comes twice meets its own row.
  carrier text,
  provider_event_id text,
  -- The object it stands for (`call:12`, `note:3`), once.
  source text,
  deleted_at timestamptz,
  deleted_by bigint,
  -- When the rate limit lets a waiting text go.
  send_slot_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, conversation_id) references conversation (company_id, id)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create unique index conversation_item_carrier
  on conversation_item (company_id, carrier, provider_event_id)
  where provider_event_id is not null;
create unique index conversation_item_source on conversation_item (company_id, source)
  where source is not null;
create index conversation_item_thread
  on conversation_item (company_id, conversation_id, created_at desc, id desc)
  where deleted_at is null;
create index conversation_item_unread on conversation_item (company_id, conversation_id, kind)
  where read_at is null and is_inbound and deleted_at is null;
create index conversation_item_waiting on conversation_item (company_id, conversation_id, id)
  where delivery_state in ('queued', 'sending') and deleted_at is null;
create index conversation_item_pending on conversation_item (company_id, conversation_id)
  where kind = 'scheduledmessage' and details ->> 'state' = 'pending' and deleted_at is null;
create index conversation_item_search on conversation_item using gin (company_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 256) where deleted_at is null and text <> '';
-- A delivery receipt names only the carrier's id, before any company is known.
create index conversation_item_provider on conversation_item (provider_event_id, carrier)
  where provider_event_id is not null and not is_inbound;
-- Lists of items are of all kinds; rare kinds have an index of their own, and so have messages with
-- pictures.
create index conversation_item_activity on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null;
-- The latest activity without campaigns (the home page), which would else be looked for behind all
-- texts of the last campaign. A campaign's texts are not in it.
create index conversation_item_personal on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null and coalesce(source, '') not like 'campaign:%';
create index conversation_item_kinds
  on conversation_item (company_id, kind, created_at desc, id desc) include (conversation_id)
  where deleted_at is null and kind <> 'message';
create index conversation_item_media on conversation_item (company_id, conversation_id)
  where deleted_at is null and kind = 'message' and (details -> 'media' -> 0) is not null;
create index conversation_item_media_newest
  on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null and kind = 'message' and (details -> 'media' -> 0) is not null;
select tenant_table('conversation_item');

create table note (
  company_id bigint not null,
  id bigint not null default next_id(),
  body text not null,
  model_type text not null
    check (model_type in (
      'call', 'message', 'voicemail', 'fax', 'contact', 'conversation', 'number', 'campaign'
    )),
  model_id bigint not null,
  user_id bigint,
  user_name text not null default '',
  mentions bigint[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  edited boolean not null default false,
  deleted_at timestamptz,
  primary key (company_id, id)
);
create index note_model on note (company_id, model_type, model_id, id) where deleted_at is null;
select tenant_table('note');

-- Who has a conversation open or is typing in it. Renewed while it lasts; an old row means nothing.
create table conversation_presence (
  company_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null,
  name text not null,
  state text not null check (state in ('viewing', 'replying')),
  at timestamptz not null,
  primary key (company_id, conversation_id, user_id),
  foreign key (company_id, conversation_id)
    references conversation (company_id, id) on delete cascade
);
create index conversation_presence_at on conversation_presence (company_id, at);
select tenant_table('conversation_presence');

-- Canned replies: `owner_id`'s own, or shared.
create table canned_reply (
  company_id bigint not null,
  id bigint not null default next_id(),
  owner_id bigint not null,
  owner_name text not null,
  shared boolean not null,
  shortcut text not null,
  title text not null,
  body text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index canned_reply_shared on canned_reply (company_id, lower(shortcut)) where shared;
create unique index canned_reply_own on canned_reply (company_id, owner_id, lower(shortcut))
  where not shared;
select tenant_table('canned_reply');

-- A saved filter of the inbox. `filters` is the contract's shape.
create table inbox_view (
  company_id bigint not null,
  id bigint not null default next_id(),
  owner_id bigint not null,
  owner_name text not null,
  shared boolean not null,
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
create unique index inbox_view_shared on inbox_view (company_id, lower(name)) where shared;
create unique index inbox_view_own on inbox_view (company_id, owner_id, lower(name))
  where not shared;
select tenant_table('inbox_view');

-- What a number texts automatically. Null: nothing.
create table number_auto_text (
  company_id bigint not null,
  number_id bigint not null,
  after_hours text,
  text_back text,
  updated_at timestamptz not null,
  primary key (company_id, number_id),
  foreign key (company_id, number_id) references number (company_id, id)
);
select tenant_table('number_auto_text');

-- When each party last got one.
create table auto_reply_sent (
  company_id bigint not null,
  number_id bigint not null,
  party text not null,
  kind text not null check (kind in ('after_hours', 'text_back')),
  at timestamptz not null,
  primary key (company_id, number_id, party, kind),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index auto_reply_sent_old on auto_reply_sent (at);
select tenant_table('auto_reply_sent');

-- Search. Row-level security forbids trigram indexes to the roles it binds (their operators are not
-- leakproof), so these run as the system role, for the company of the transaction only; filters and
-- paging stay with the caller, behind row-level security. MATERIALIZED keeps the planner from
-- walking the newest rows one by one until enough of them match. This one serves exports and the
-- activity list; without the settings the index by time would be taken instead of that by words.
create function items_matching(
  company bigint, pattern text, digits text, since timestamptz, before timestamptz
)
returns table (id bigint, created_at timestamptz) language sql stable rows 50 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  with by_text as materialized (
    select i.id, i.created_at from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before),
  by_party as materialized (
    select p.conversation_id id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits)
  select t.id, t.created_at from by_text t
  union select i.id, i.created_at from by_party p join conversation_item i on i.company_id = company and i.conversation_id = p.id and i.deleted_at is null and i.created_at >= since and i.created_at < before
$$;

-- Up to `most` matches from each part: a caller that gets as many found too many, and walks its
-- list instead. Only bitmap scans are considered: a generic plan would rather read everything for a
-- word that nobody wrote.
create function conversations_found(
  company bigint, pattern text, digits text, since timestamptz, before timestamptz, most int
)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select i.conversation_id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most)
  union all (select c.id from (select k.id from contact k where pattern is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like lower(pattern) limit most) k
    join conversation c on c.company_id = company and c.contact_id = k.id limit most)
  union all (select p.conversation_id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits limit most)
$$;

create function match_items(
  company bigint, pattern text, since timestamptz, before timestamptz, most int
)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  select i.id from conversation_item i
    where i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most
$$;

create function match_parties(company bigint, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  select p.conversation_id from conversation_party p where p.company_id = company and company = current_company() and p.party like digits limit most
$$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function items_matching owner to trunkline_system;
alter function conversations_found owner to trunkline_system;
alter function match_items owner to trunkline_system;
alter function match_parties owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function items_matching, conversations_found, match_items, match_parties
  from public;
grant execute on function items_matching, conversations_found, match_items, match_parties
  to trunkline_app;

-- Asked by companies: the counts of the company page.
create function company_counts(company bigint)
returns table (numbers int, contacts int, unread int) language sql stable as $$
  select (select count(*)::int from number n where n.company_id = company and n.status <> 'released'),
    (select count(*)::int from contact k where k.company_id = company and k.deleted_at is null),
    (select count(*)::int from conversation c where c.company_id = company and c.unread > 0 and c.archived_at is null and c.deleted_at is null)
$$;

-- Asked by contact imports: which of these numbers called or wrote.
create function numbers_with_activity(company bigint, among text[])
returns table (number text) language sql stable as $$
  select c.party from conversation c where c.company_id = company and c.party = any (among)
  union select k.party from call k where k.company_id = company and k.party = any (among)
$$;

-- What waits for an answer: the home page counts it, and asks for the oldest, again and again.
-- Unread items by kind, oldest first. Small: an item leaves it when it is read.
create index conversation_item_unread_kind on conversation_item (company_id, kind, created_at)
  where read_at is null and is_inbound and deleted_at is null;
-- Missed calls, among which those not called back are looked for.
create index conversation_item_missed on conversation_item (company_id, created_at)
  where kind = 'call' and is_inbound and details ->> 'outcome' = '2' and deleted_at is null;
