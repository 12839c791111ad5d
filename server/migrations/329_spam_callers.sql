-- Callers whose calls were marked as spam: asked for each call that comes in.
create index concurrently call_spam on call (company_id, party) where spam;
