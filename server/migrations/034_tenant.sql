-- The name, look and addresses under which an organization offers the product. Organizations are
-- above companies, so only the system role sees them.
create table tenant (
  id bigint primary key default next_id(),
  organization_id bigint not null unique references organization (id) on delete cascade,
  name text not null default '',
  legal_name text,
  support_email text,
  support_phone text,
  website text,
  privacy_url text,
  terms_url text,
  logo text,
  logo_dark text,
  favicon text,
  login_background text,
  primary_color text,
  secondary_color text,
  email_footer text,
  hide_vendor_name boolean not null default false,
  default_plan text,
  -- The address that the tenant's mail comes from once its domain is verified.
  sender_name text,
  sender_email text,
  sender_state text not null default 'not_started'
    check (sender_state in ('not_started', 'pending', 'verified', 'failed', 'expired')),
  sender_records jsonb not null default '[]',
  dkim_key_sealed text,
  sender_started_at timestamptz,
  sender_checked_at timestamptz,
  sender_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- For the job that checks DNS.
create index tenant_sender_checks on tenant (sender_checked_at)
  where sender_state in ('pending', 'verified');
select global_table('tenant');

create table tenant_domain (
  tenant_id bigint primary key references tenant (id) on delete cascade,
  domain text not null,
  api_host text not null,
  app_host text not null,
  auth_token_sealed text,
  status text not null default 'pending_dns'
    check (status in ('pending_dns', 'issuing_certificate', 'active', 'failed')),
  records jsonb not null default '[]',
  error text,
  started_at timestamptz not null,
  checked_at timestamptz,
  certificate_expires_at timestamptz
);
-- A claim that was never proven doesn't keep the domain's owner from using it.
create unique index tenant_domain_app_host on tenant_domain (app_host)
  where status in ('issuing_certificate', 'active');
create unique index tenant_domain_api_host on tenant_domain (api_host)
  where status in ('issuing_certificate', 'active');
select global_table('tenant_domain');

-- Who a company's mail comes from; called by the platform, which knows no tenants.
create function mail_sender(of_company bigint)
returns table (name text, email text, verified boolean, dkim_key_sealed text, footer text)
language sql stable as $$
  select coalesce(t.sender_name, t.name), t.sender_email, t.sender_state = 'verified',
      t.dkim_key_sealed, t.email_footer
    from company c join tenant t on t.organization_id = c.organization_id
    where c.id = of_company
$$;
revoke execute on function mail_sender from public;
grant execute on function mail_sender to trunkline_system;
