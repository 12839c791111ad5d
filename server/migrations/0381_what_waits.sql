-- What waits for an answer: the home page counts it, and asks for the oldest, again and again.
-- Unread items by kind, oldest first. Small: an item leaves it when it is read.
create index conversation_item_unread_kind on conversation_item (company_id, kind, created_at)
  where read_at is null and is_inbound and deleted_at is null;
-- Missed calls, among which those not called back are looked for.
create index conversation_item_missed on conversation_item (company_id, created_at)
  where kind = 'call' and is_inbound and details ->> 'outcome' = '2' and deleted_at is null;
