-- When a person is deactivated, removed or lowered, what they took hold of ends in the same
-- transaction, and doesn't come back with a later promotion: API keys, access they gave to programs,
-- and invitations they sent. Whatever path changed it, an operator's statement included.

-- Why an invitation was withdrawn; null: somebody withdrew it.
alter table invitation add column revoked_because text check (revoked_because in ('inviter_lost_right'));

-- What a person acts in, whatever the company's status: a deactivated company pauses access only.
create function roles_in(of_company bigint, of_person bigint) returns text[] language sql stable as $$
  select coalesce((select array_remove(array[
      (select m.role from membership m where m.company_id = of_company and m.user_id = of_person
        and m.role <> 'deactivated'),
      (select 'org-administrator' from company c where c.id = of_company
        and of_person = any(administrators_of(c.organization_id)))], null)
    from person p where p.id = of_person and p.disabled_at is null), '{}')
$$;

create function is_administrator(roles text[]) returns boolean language sql immutable as $$
  select roles && array['owner', 'administrator', 'org-administrator']
$$;

-- The scopes of API keys that these roles may have (`scopesForRole` of the contract), and those that
-- are of use to a program.
create function scopes_of(roles text[], of_program boolean) returns text[] language sql immutable as $$
  select case
    when is_administrator(roles)
      then array['read', 'write', 'messages:send', 'calls:place', 'billing:read', 'admin']
    when 'user' = any(roles) then array['read', 'write', 'messages:send', 'calls:place']
    when 'reporting' = any(roles) then
      case when of_program then array['read', 'write'] else array['read'] end
    when 'billing' = any(roles) and of_program then array['read', 'write', 'billing:read']
    else '{}' end
$$;

create function audit_ending(of_company bigint, act text, about text, held jsonb)
returns void language plpgsql as $$
begin
  insert into audit_log (company_id, actor_id, actor_kind, action, subject, before, after)
    values (of_company, current_person(),
      case when current_person() is null then 'system' else 'user' end, act, about, held,
      jsonb_build_object('because', 'access_ended'));
  insert into outbox (company_id, event, data)
    values (of_company, 'audit.recorded', jsonb_build_object('companyId', of_company));
end $$;

create function end_keys(of_company bigint, of_person bigint, allowed text[])
returns void language plpgsql as $$
declare
  key record;
  kept text[];
begin
  for key in select k.id, k.name, k.prefix, k.scopes from personal_access_token k
    where k.company_id = of_company and k.person_id = of_person and not k.scopes <@ allowed
    order by k.id for update
  loop
    kept := array(select s from unnest(key.scopes) s where s = any(allowed));
    if kept = '{}' then
      delete from personal_access_token where company_id = of_company and id = key.id;
    else
      update personal_access_token set scopes = kept where company_id = of_company and id = key.id;
    end if;
    perform audit_ending(of_company,
      case when kept = '{}' then 'api_key.revoked' else 'api_key.limited' end,
      'api_key:' || key.id, jsonb_build_object('name', key.name, 'prefix', key.prefix,
        'user_id', of_person, 'scopes', key.scopes));
    insert into outbox (company_id, event, data) values (of_company,
      'personal-access-tokens-changed', jsonb_build_object('companyId', of_company));
  end loop;
end $$;

create function end_grants(of_company bigint, of_person bigint, allowed text[])
returns void language plpgsql as $$
declare
  given record;
  kept text[];
begin
  for given in select a.id, a.grant_hash, a.client_id, a.scopes from oauth_authorization a
    where a.company_id = of_company and a.person_id = of_person and a.revoked_at is null
      and not a.scopes <@ allowed order by a.id for update
  loop
    kept := array(select s from unnest(given.scopes) s where s = any(allowed));
    if kept = '{}' then
      update oauth_authorization set revoked_at = now() where id = given.id;
      delete from oauth_record where grant_hash = given.grant_hash;
    else
      update oauth_authorization set scopes = kept where id = given.id;
    end if;
    perform audit_ending(of_company,
      case when kept = '{}' then 'oauth.revoked' else 'oauth.limited' end,
      'application:' || given.client_id,
      jsonb_build_object('user_id', of_person, 'scopes', given.scopes));
    insert into outbox (company_id, event, data, channel_key)
      values (of_company, 'oauth.authorization_changed',
        jsonb_build_object('userId', of_person, 'authorizationId', given.id), of_person);
  end loop;
end $$;

-- Administrators may invite with every role there is to invite with; to the organization only its own.
create function end_invitations(of_company bigint, of_person bigint, roles text[])
returns void language plpgsql as $$
declare sent record;
begin
  if exists (select from person p where p.id = of_person and p.is_staff and p.disabled_at is null)
  then return; end if;
  for sent in select i.id, i.email, i.role from invitation i
    where i.company_id = of_company and i.invited_by = of_person and i.accepted_at is null
      and i.revoked_at is null and (not is_administrator(roles)
        or (i.organization_id is not null and not 'org-administrator' = any(roles)))
    order by i.id for update
  loop
    update invitation set revoked_at = now(), revoked_because = 'inviter_lost_right'
      where company_id = of_company and id = sent.id;
    perform audit_ending(of_company, 'invitation.revoked', 'invitation:' || sent.id,
      jsonb_build_object('email', sent.email, 'role', sent.role));
    insert into outbox (company_id, event, data) values (of_company, 'invitation.changed',
      jsonb_build_object('companyId', of_company, 'invitationId', sent.id));
  end loop;
end $$;

create function end_lost_access(of_company bigint, of_person bigint)
returns void language plpgsql as $$
declare roles text[] := roles_in(of_company, of_person);
begin
  perform end_keys(of_company, of_person, scopes_of(roles, false));
  perform end_grants(of_company, of_person, scopes_of(roles, true));
  perform end_invitations(of_company, of_person, roles);
end $$;

create or replace function membership_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.role = new.role and old.number_ids = new.number_ids then
    return null;
  end if;
  if tg_op <> 'INSERT' then perform end_lost_access(old.company_id, old.user_id); end if;
  perform publish_access(array[old.user_id, new.user_id]);
  return null;
end $$;

create or replace function organization_admin_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform end_lost_access(c.id, old.user_id) from company c
      where c.organization_id = old.organization_id order by c.id;
  end if;
  perform publish_access(array[old.user_id, new.user_id]);
  return null;
end $$;

create or replace function organization_owner_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.owner_id is not distinct from new.owner_id then return null; end if;
  if tg_op = 'UPDATE' then
    perform end_lost_access(c.id, old.owner_id) from company c
      where c.organization_id = old.id order by c.id;
  end if;
  perform publish_access(array[old.owner_id, new.owner_id]);
  return null;
end $$;

create or replace function company_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.status = new.status and old.organization_id is not distinct from new.organization_id
    and access_settings(old.settings) = access_settings(new.settings) then return null; end if;
  if old.organization_id is distinct from new.organization_id then
    perform end_lost_access(new.id, a) from unnest(administrators_of(old.organization_id)) a;
  end if;
  perform publish_access(array(select m.user_id from membership m where m.company_id = new.id)
    || administrators_of(old.organization_id) || administrators_of(new.organization_id));
  return null;
end $$;

create or replace function person_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.is_staff = new.is_staff and old.disabled_at is not distinct from new.disabled_at
    and (old.mfa_enabled_at is null) = (new.mfa_enabled_at is null) then return null; end if;
  if new.disabled_at is not null and old.disabled_at is null then
    perform end_lost_access(held.company_id, new.id) from (
      select company_id from personal_access_token where person_id = new.id
      union select company_id from oauth_authorization where person_id = new.id
      union select company_id from invitation where invited_by = new.id
      order by company_id) held;
  end if;
  perform publish_access(array[new.id]);
  return null;
end $$;

revoke execute on function roles_in, is_administrator, scopes_of, audit_ending, end_keys, end_grants,
  end_invitations, end_lost_access from public;
grant execute on function roles_in, is_administrator, scopes_of, audit_ending, end_keys, end_grants,
  end_invitations, end_lost_access to trunkline_system;
