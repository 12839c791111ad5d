-- What belongs to a person, in whatever company: a second wall behind `where person_id = …`. The
-- application's role sees and changes rows of the transaction's person only. Sign-in, renewal and
-- retention ask before anybody is known, as the system role.
create function person_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy person on %I to trunkline_app using (person_id = current_person()) with check (person_id = current_person())', name);
  execute format('create policy system on %I to trunkline_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %I to trunkline_app', name);
end $$;
select person_table('session');
select person_table('mfa_factor');
select person_table('recovery_code');
select person_table('passkey');
select person_table('oauth_authorization');
select person_table('push_device');

-- A person's own row, without the hash of the password: nothing outside of sign-in compares it.
alter table person enable row level security;
alter table person force row level security;
create policy person on person to trunkline_app
  using (id = current_person()) with check (id = current_person());
create policy system on person to trunkline_system using (true) with check (true);
grant select (id, email, email_key, first_name, last_name, timezone, read_whats_new_at, is_staff,
  created_at, disabled_at, mfa_enabled_at) on person to trunkline_app;
grant update (read_whats_new_at, mfa_enabled_at) on person to trunkline_app;
