-- Each way of matching stops at `most` by itself, and only bitmaps are considered: a plan made for an unknown pattern would else
-- rather walk the whole book for a word that nobody has.
create or replace function contacts_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language sql stable rows 100 security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
  (select k.id from contact k where k.company_id = company and company = current_company() and k.deleted_at is null and k.search like pattern limit most)
  union (select k.id from contact k where digits is not null and k.company_id = company and company = current_company() and k.deleted_at is null and k.search like digits limit most)
  union (select n.contact_id from contact_number n where digits is not null and n.company_id = company and company = current_company() and n.number like digits limit most)
  limit most
$$;
