-- Whose look a mail has and where its links lead; called by the platform, which knows no tenants. A
-- mail without a company (a sign-in code, a new password) has the look of the recipient's only company,
-- or of the organization that all of the recipient's companies are in. With any other company in their
-- account it has the platform's: a link that opens an account must not lead to a domain whose owner
-- could use it in companies of others. So have mails to staff of the platform.
drop function mail_sender(bigint);
create function mail_brand(of_company bigint, recipient text)
returns table (
  name text, email text, verified boolean, dkim_key_sealed text, footer text,
  app_host text, logo text, color text
)
language sql stable as $$
  with belonging as (
    select c.id as company_id, c.organization_id
      from person p join membership m on m.user_id = p.id join company c on c.id = m.company_id
      where of_company is null and p.email_key = lower(recipient) and not p.is_staff
    union
    select null, a.organization_id
      from person p join organization_admin a on a.user_id = p.id
      where of_company is null and p.email_key = lower(recipient) and not p.is_staff
  ), chosen as (
    select of_company as company_id, (select organization_id from company where id = of_company)
      as organization_id where of_company is not null
    union all
    select case when count(*) = 1 then min(company_id) end, min(organization_id)
      from belonging
      having count(distinct coalesce(organization_id, -company_id)) = 1
  )
  select coalesce(t.sender_name, nullif(t.name, ''),
        case when c.branding ->> 'logo' is not null then c.name end),
      t.sender_email, coalesce(t.sender_state = 'verified', false), t.dkim_key_sealed,
      t.email_footer, d.app_host,
      coalesce(c.branding ->> 'logo', t.logo),
      coalesce(c.branding ->> 'primary_color', t.primary_color)
    from chosen
      left join company c on c.id = chosen.company_id
      left join tenant t on t.organization_id = chosen.organization_id
      left join tenant_domain d on d.tenant_id = t.id and d.status = 'active'
    where coalesce(
      c.settings -> 'feature.white-label',
      (select value from setting_value v where v.key = 'feature.white-label'
        and v.company_id is null
        and (v.organization_id = chosen.organization_id or v.organization_id is null)
        order by v.organization_id nulls last limit 1)
    ) is distinct from 'false'::jsonb
$$;
revoke execute on function mail_brand from public;
grant execute on function mail_brand to trunkline_system;
