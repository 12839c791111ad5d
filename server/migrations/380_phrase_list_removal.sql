-- A deleted list is gone from all screens at once. A job takes it out of the calls it was found in, in
-- steps, and deletes it then.
alter table phrase_list add column removed_at timestamptz;
alter table phrase_list drop constraint phrase_list_company_id_name_key_key;
create unique index concurrently phrase_list_name on phrase_list (company_id, name_key) where removed_at is null;
