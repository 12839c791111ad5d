-- Whoever takes a number ends its hold: it is theirs now, and may be passed on at once.
create or replace function claim_number(wanted text, id bigint, holder bigint, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_company() is null then raise exception 'claim_number outside a company'; end if;
  if exists (select from number_hold h where h.number = wanted and h.expires_at > at and (h.company_id <> current_company() or h.user_id <> holder)) then return false; end if;
  insert into number_directory (number, company_id, number_id) values (wanted, current_company(), id) on conflict (number) do nothing;
  if not found then return false; end if;
  delete from number_hold h where h.number = wanted;
  return true;
end $$;
delete from number_hold h using number_directory d where d.number = h.number;
