-- What a person may do changes by many paths (their role, their numbers, their organization, their
-- company, their second factor, an operator's statement). Whichever it is, their sockets are told in
-- the same transaction, so that none has to remember it.
create function publish_access(people bigint[]) returns void language plpgsql as $$
begin
  insert into outbox (event, data, channel_key)
    select 'permissions-changed', jsonb_build_object('userId', p), p
      from (select distinct unnest(people) p) told where p is not null;
  if found then perform pg_notify('outbox_pending', ''); end if;
end $$;

create function administrators_of(organization bigint) returns bigint[] language sql stable as $$
  select array(select a.user_id from organization_admin a where a.organization_id = organization
    union select o.owner_id from organization o where o.id = organization)
$$;

-- Settings of a company that decide about access (`accessSettings` of the contract).
create function access_settings(settings jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(settings)
    where key in ('allowed_ip_ranges', 'mask_contact_details_for_users', 'reporting_can_edit_calls',
      'require_mfa', 'session_idle_minutes', 'users_can_bulk_contacts',
      'users_can_configure_numbers', 'users_can_export', 'users_can_purchase_numbers')
$$;

create function membership_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.role = new.role and old.number_ids = new.number_ids then
    return null;
  end if;
  perform publish_access(array[old.user_id, new.user_id]);
  return null;
end $$;
create trigger membership_access after insert or update or delete on membership
  for each row execute function membership_access();

create function organization_admin_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform publish_access(array[old.user_id, new.user_id]);
  return null;
end $$;
create trigger organization_admin_access after insert or delete on organization_admin
  for each row execute function organization_admin_access();

create function organization_owner_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.owner_id is not distinct from new.owner_id then return null; end if;
  perform publish_access(array[old.owner_id, new.owner_id]);
  return null;
end $$;
create trigger organization_owner_access after insert or update or delete on organization
  for each row execute function organization_owner_access();

create function company_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.status = new.status and old.organization_id is not distinct from new.organization_id
    and access_settings(old.settings) = access_settings(new.settings) then return null; end if;
  perform publish_access(array(select m.user_id from membership m where m.company_id = new.id)
    || administrators_of(old.organization_id) || administrators_of(new.organization_id));
  return null;
end $$;
create trigger company_access after update of status, organization_id, settings on company
  for each row execute function company_access();

create function person_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.is_staff = new.is_staff and old.disabled_at is not distinct from new.disabled_at
    and (old.mfa_enabled_at is null) = (new.mfa_enabled_at is null) then return null; end if;
  perform publish_access(array[new.id]);
  return null;
end $$;
create trigger person_access after update of is_staff, disabled_at, mfa_enabled_at on person
  for each row execute function person_access();

-- Admin mode. Whoever ends a session publishes which one.
create function session_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.admin_mode = new.admin_mode then return null; end if;
  perform publish_access(array[new.person_id]);
  return null;
end $$;
create trigger session_access after update of admin_mode on session
  for each row execute function session_access();

grant create on schema public to trunkline_system;
alter function membership_access owner to trunkline_system;
alter function organization_admin_access owner to trunkline_system;
alter function organization_owner_access owner to trunkline_system;
alter function company_access owner to trunkline_system;
alter function person_access owner to trunkline_system;
alter function session_access owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function publish_access, administrators_of, membership_access,
  organization_admin_access, organization_owner_access, company_access, person_access,
  session_access from public;
grant execute on function publish_access, administrators_of to trunkline_system;
