-- "Only through single sign-on".
alter table sso_connection
  -- When someone last came in through this issuer and client. Null: not since they were entered.
  add column used_at timestamptz,
  -- Since when people with an address at the organization's proven domains sign in by it alone.
  add column required_at timestamptz;

-- Also of an owner who came in past it, by password and second factor.
comment on column session.sso_organization_id is 'The organization whose own sign-in the session stands for';

-- The organization through whose provider alone an address signs in: it has proven the domain.
-- No row: none. A lost proof and a disconnected provider end it with their rows.
create function sso_required_by(address text) returns table (id bigint, name text)
language sql stable as $$
  select o.id, o.name from sso_domain d
    join sso_connection c on c.organization_id = d.organization_id
    join organization o on o.id = d.organization_id
  where d.domain = lower(substring(address from '[^@]*$')) and d.proven_at is not null
    and c.required_at is not null
$$;

-- The same of a person, and who they are there: an owner of the organization or of one of its
-- companies, someone with a place in it, someone whose account also opens what isn't the
-- organization's.
create function sso_rule(of_person bigint) returns table (
  organization_id bigint, organization text, is_owner boolean, is_inside boolean, is_elsewhere boolean)
language sql stable as $$
  select r.id, r.name,
    o.owner_id is not distinct from p.id or exists (
      select from membership m join company c on c.id = m.company_id
      where c.organization_id = r.id and m.user_id = p.id and m.role = 'owner'),
    o.owner_id is not distinct from p.id or exists (
      select from organization_admin a where a.organization_id = r.id and a.user_id = p.id) or exists (
      select from membership m join company c on c.id = m.company_id
      where c.organization_id = r.id and m.user_id = p.id and m.role <> 'deactivated'),
    p.is_staff or p.is_individual or exists (
      select from organization other where other.owner_id = p.id and other.id <> r.id) or exists (
      select from organization_admin a where a.user_id = p.id and a.organization_id <> r.id) or exists (
      select from membership m join company c on c.id = m.company_id
      where m.user_id = p.id and m.role <> 'deactivated' and c.organization_id is distinct from r.id)
  from person p cross join lateral sso_required_by(p.email) r join organization o on o.id = r.id
  where p.id = of_person
$$;

-- Whether a company is closed to a session of a person: its organization asks for its own sign-in.
create function sso_keeps_out(of_person bigint, of_session bigint, of_company bigint)
returns boolean language sql stable as $$
  select exists (
    select from person p cross join lateral sso_required_by(p.email) r
      join company c on c.organization_id = r.id
    where p.id = of_person and c.id = of_company and r.id is distinct from (
      select s.sso_organization_id from session s where s.id = of_session))
$$;

-- A sign-in that waits for a second factor, and began with the password: an owner comes in by both.
alter table pending_sign_in add column by_password boolean not null default false;
