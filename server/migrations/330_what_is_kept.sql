-- Deleted items, for the time that a company keeps texts: the other indexes leave them out.
create index concurrently conversation_item_deleted on conversation_item (company_id, created_at)
  where deleted_at is not null;
-- What led to a call or text that is deleted goes with it.
create index concurrently tracking_match_subject on tracking_match (company_id, kind, subject_id);
