-- Who opted a person out or in, by the name they had then; the note stands in `proof`.
alter table opt_out_history add column actor_name text;

-- A contact's flag follows the ledger in the same transaction, however the contact or the opt-out came to be: a person who
-- opted out is never shown as someone who can be texted. Events only tell screens.
create function contact_follows_ledger() returns trigger language plpgsql as $$
declare at timestamptz := (select o.opted_out_at from opt_out o where o.company_id = new.company_id and o.number = new.number);
begin
  -- A file may say so before the ledger does.
  new.unsubscribed_at := case when tg_op = 'INSERT' then coalesce(at, new.unsubscribed_at) else at end;
  return new;
end $$;
create trigger follow_ledger_made before insert on contact for each row execute function contact_follows_ledger();
create trigger follow_ledger_moved before update on contact for each row
  when (new.number is distinct from old.number or (old.deleted_at is not null and new.deleted_at is null)) execute function contact_follows_ledger();

create function ledger_marks_contact() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update contact set unsubscribed_at = new.opted_out_at where company_id = new.company_id and number = new.number and deleted_at is null and unsubscribed_at is distinct from new.opted_out_at;
  else
    update contact set unsubscribed_at = null where company_id = old.company_id and number = old.number and deleted_at is null and unsubscribed_at is not null;
  end if;
  return null;
end $$;
create trigger mark_contact after insert or delete on opt_out for each row execute function ledger_marks_contact();

update contact c set unsubscribed_at = o.opted_out_at from opt_out o where o.company_id = c.company_id and o.number = c.number and c.deleted_at is null and c.unsubscribed_at is null;
