-- What arrives is put into a trigram index in lots, and whatever still waits for its lot is read by every search: with the usual
-- four megabytes of it, a search while a campaign goes out took five times as long. Smaller lots cost those who write nothing.
alter index conversation_item_search set (gin_pending_list_limit = 256);
alter index conversation_party_digits set (gin_pending_list_limit = 256);
alter index contact_search set (gin_pending_list_limit = 256);
