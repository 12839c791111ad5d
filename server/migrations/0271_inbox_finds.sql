-- The inbox at two hundred thousand conversations and a million messages: what a search or a filter asks walks an index.
-- Searches look everywhere, put away or not.
create index conversation_recent on conversation (company_id, last_activity_at desc, id desc) where deleted_at is null;
create index conversation_of_person on conversation (company_id, assigned_to, last_activity_at desc, id desc) where assigned_to is not null and deleted_at is null;
-- Lists of items are of all kinds; those of a seldom kind have an index of their own, and so have those with pictures.
drop index conversation_item_activity;
create index conversation_item_activity on conversation_item (company_id, created_at desc, id desc) where deleted_at is null;
create index conversation_item_kinds on conversation_item (company_id, kind, created_at desc, id desc) include (conversation_id) where deleted_at is null and kind <> 'message';
create index conversation_item_media on conversation_item (company_id, conversation_id) where deleted_at is null and kind = 'message' and (details -> 'media' -> 0) is not null;
create index conversation_item_media_newest on conversation_item (company_id, created_at desc, id desc) where deleted_at is null and kind = 'message' and (details -> 'media' -> 0) is not null;

-- What matches, as far as `most` rows each way: one that finds as many found too many, and the asker walks its list instead. Only
-- bitmaps are considered: a plan made for an unknown pattern would else rather read everything for a word that nobody wrote.
create function conversations_found(company bigint, pattern text, digits text, since timestamptz, before timestamptz, most int)
returns table (id bigint) language sql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select i.conversation_id from conversation_item i
    where pattern is not null and i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most)
  union all (select c.id from (select k.id from contact k where pattern is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like lower(pattern) limit most) k
    join conversation c on c.company_id = company and c.contact_id = k.id limit most)
  union all (select p.conversation_id from conversation_party p where digits is not null and p.company_id = company and company = current_company() and p.party like digits limit most)
$$;
create function items_found(company bigint, pattern text, since timestamptz, before timestamptz, most int)
returns table (id bigint) language sql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  select i.id from conversation_item i
    where i.company_id = company and company = current_company() and i.deleted_at is null and i.text <> '' and i.text ilike pattern and i.created_at >= since and i.created_at < before limit most
$$;
create function parties_found(company bigint, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  select p.conversation_id from conversation_party p where p.company_id = company and company = current_company() and p.party like digits limit most
$$;
grant create on schema public to trunkline_system;
alter function conversations_found owner to trunkline_system;
alter function items_found owner to trunkline_system;
alter function parties_found owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function conversations_found, items_found, parties_found from public;
grant execute on function conversations_found, items_found, parties_found to trunkline_app;
drop function conversations_matching;
-- What exports and the activity list ask: the index of all items by time must not tempt it away from its words.
alter function items_matching set enable_seqscan = off;
alter function items_matching set enable_indexscan = off;
