-- Codes by text go only where the company texts to: its number must be in the same numbering plan as the
-- phone. `from_plan` is a regular expression that the sender's number matches.
drop function code_sender(bigint, text);
create function code_sender(of_person bigint, target text, from_plan text)
returns table (number text, provider_id smallint, provider_ref text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    select n.number, n.provider_id, n.provider_ref
    from membership m
    join company c on c.id = m.company_id
    join number n on n.company_id = m.company_id
    cross join lateral (select c.settings -> 'texting_requires_verification' asked) k
    where m.user_id = of_person and m.role <> 'deactivated' and n.status = 'active'
      and n.sms_enabled and n.number <> target and n.number ~ from_plan
      and (k.asked = 'false' or n.sms_verification_status = 'approved'
        or (coalesce(k.asked, 'null') = 'null'
          and (n.provider_ref ~ '^(sb|sandbox)-' or n.sms_verification_status = 'not_required')))
      and not exists (
        select from opt_out o where o.company_id = n.company_id and o.number = target)
    order by n.purchased_at, n.id limit 1;
end $$;
grant create on schema public to trunkline_system;
alter function code_sender owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function code_sender from public;
grant execute on function code_sender to trunkline_system;
