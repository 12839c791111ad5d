-- Unread items of a kind, newest first: a page of them reads no others.
create index concurrently conversation_item_unread_kind
  on conversation_item (company_id, kind, created_at desc, id desc)
  where read_at is null and is_inbound and deleted_at is null;
