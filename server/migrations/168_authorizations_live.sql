-- What people allow programs is shown to themselves and to their company's administrators. It begins, shrinks
-- and ends by many paths (consent, either of them, the program, a lost role), so the row itself tells both.
create function authorization_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into outbox (event, data, channel_key) values ('oauth.authorization_changed',
    jsonb_build_object('userId', new.person_id, 'authorizationId', new.id), new.person_id);
  insert into outbox (company_id, event, data) values (new.company_id,
    'oauth.company_authorizations_changed', jsonb_build_object('companyId', new.company_id));
  perform pg_notify('outbox_pending', '');
  return null;
end $$;
create trigger authorization_changed after insert or update of revoked_at, scopes on oauth_authorization
  for each row execute function authorization_changed();

grant create on schema public to trunkline_system;
alter function authorization_changed owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function authorization_changed from public;
