-- One contact is looked up for each line of the ledger, by the index of numbers whatever the planner knows: to one that knows nothing
-- of a young database every index that begins with the company looks alike, and an import of opt-outs read all contacts for
-- each (docs/decisions/0050-lookups-without-statistics.md).
create function live_contact(company bigint, of text) returns bigint language sql stable as $$
  select c.id from contact c where c.company_id = company and c.number >= of and c.number <= of and c.deleted_at is null order by c.number limit 1
$$;
create or replace function ledger_marks_contact() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update contact set unsubscribed_at = new.opted_out_at where company_id = new.company_id and id = live_contact(new.company_id, new.number) and unsubscribed_at is distinct from new.opted_out_at;
  else
    update contact set unsubscribed_at = null where company_id = old.company_id and id = live_contact(old.company_id, old.number) and unsubscribed_at is not null;
  end if;
  return null;
end $$;
