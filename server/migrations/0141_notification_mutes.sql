-- Of these addresses, those that may be mailed about a number: an address of somebody at work here who muted mail of it is
-- left out. Addresses of nobody here stay. Asked by whoever writes mail, from inside the company's own transaction.
create function unmuted_addresses(company bigint, of_number bigint, about text, addresses text[]) returns text[]
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(a.address order by a.n), '{}') from unnest(addresses) with ordinality a(address, n)
  where company = current_company() and not exists (
    select from person p join notification_block b on b.user_id = p.id and b.company_id = company and b.number_id = of_number and b.channel = 'email' and b.event in ('*', about)
    where lower(p.email) = lower(a.address))
$$;
grant create on schema public to trunkline_system;
alter function unmuted_addresses owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function unmuted_addresses from public;
grant execute on function unmuted_addresses to trunkline_app, trunkline_system;
