-- Calls and texts to tracking numbers, among which filters by source look.
create index concurrently conversation_item_matched on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null and kind in ('call', 'message') and details ->> 'sourceKey' is not null;
-- A conversation's sources, for search.
create index concurrently conversation_item_sources on conversation_item (company_id, created_at desc, id desc)
  include (conversation_id) where deleted_at is null and kind = 'trackingmatch';
