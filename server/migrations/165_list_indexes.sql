-- Lists of one number's or one person's activity, newest first.
create index concurrently conversation_item_number
  on conversation_item (company_id, number_id, created_at desc, id desc) where deleted_at is null;
create index concurrently conversation_item_actor
  on conversation_item (company_id, actor_id, created_at desc, id desc)
  where actor_id is not null and deleted_at is null;
-- Texts that did not arrive, few among very many.
create index concurrently conversation_item_undelivered
  on conversation_item (company_id, created_at desc, id desc)
  where deleted_at is null and delivery_state not in ('received', 'delivered', 'sent');
-- Texts alone, newest first; figures count them without reading the table.
create index concurrently conversation_item_texts
  on conversation_item (company_id, created_at desc, id desc) include (number_id)
  where kind = 'message' and deleted_at is null;
-- Figures of incoming calls, without reading the table.
create index concurrently call_figures on call (company_id, started_at)
  include (number_id, outcome, party, talk_seconds, ring_seconds, first_contact, qualified, lead)
  where not outbound;
