-- Invitations that an individual texted. The code in their link begins with the account, so that it
-- is found without a directory.
create table caddy_invitation (
  company_id bigint not null,
  id bigint not null default next_id(),
  phone text not null,
  code text not null,
  sent_at timestamptz not null,
  joined_at timestamptz,
  joined_account_id bigint,
  rewarded_at timestamptz,
  primary key (company_id, id),
  unique (company_id, code)
);
create index caddy_invitation_newest on caddy_invitation (company_id, sent_at desc, id desc);
create index caddy_invitation_joined on caddy_invitation (joined_account_id)
  where joined_account_id is not null;
select tenant_table('caddy_invitation');

create table caddy_review (
  company_id bigint not null,
  id bigint not null default next_id(),
  rating smallint not null check (rating between 1 and 5),
  text text,
  store text,
  version text not null,
  created_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, version)
);
select tenant_table('caddy_review');

alter table caddy_account
  -- The app was opened; calls and texts are the numbers' own.
  add column last_opened_at timestamptz not null default now(),
  add column warned_at timestamptz,
  -- Set while it is being deleted: erased then.
  add column erase_at timestamptz;
create index concurrently caddy_account_erase on caddy_account (erase_at) where erase_at is not null;
create index concurrently caddy_account_opened on caddy_account (last_opened_at);

-- Erases an account of Caddy and nothing else: every row of every table with its company, the person
-- and who signs in. Books stay, without a name. In passes, because tables refer to each other in ways
-- that no list here should have to follow. Returns the tables that still have rows.
create function erase_caddy_account(account bigint) returns text[] language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  person_of bigint;
  table_name text;
  left_over text[];
  left_before int := 1000;
begin
  select person_id into person_of from caddy_account where company_id = account for update;
  if person_of is null then return '{}'; end if;
  delete from caddy_identity where account_id = account;
  loop
    left_over := '{}';
    for table_name in
      select c.relname from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition
          and c.relname not in ('audit_log', 'opt_out_history', 'registration_event',
            'ledger_entry', 'invoice', 'invoice_line',
            'invoice_counter', 'subscription', 'usage_entry', 'payment_attempt')
        order by c.relname
    loop
      begin
        execute format('delete from %I where company_id = $1', table_name) using account;
      exception when foreign_key_violation or insufficient_privilege then
        left_over := left_over || table_name;
      end;
    end loop;
    exit when left_over = '{}' or left_before <= cardinality(left_over);
    left_before := cardinality(left_over);
  end loop;
  update company set name = 'Deleted', phone = null, email = null, website = null, industry = null,
    address = '{}', branding = '{}', billing_info = '{}', settings = '{}', status = 2
    where id = account;
  begin
    delete from person where id = person_of;
  exception when foreign_key_violation then
    delete from session where person_id = person_of;
    update person set first_name = '', last_name = '', timezone = null, disabled_at = now(),
      sip_address = null, sip_user = null, sip_password_secret = null where id = person_of;
  end;
  return left_over;
end $$;
-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function erase_caddy_account owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function erase_caddy_account from public;
grant execute on function erase_caddy_account to trunkline_system;

-- What no role may change otherwise: the log, and the proofs of opt-outs and registrations. The owner
-- erases them for the one account that is named while the function runs.
do $$
declare
  table_name text;
begin
  foreach table_name in array array['audit_log', 'opt_out_history', 'registration_event'] loop
    execute format('create policy erasing_reads on %I for select to %I using (company_id::text = current_setting(''trunkline.erasing'', true))', table_name, current_user);
    execute format('create policy erasing on %I for delete to %I using (company_id::text = current_setting(''trunkline.erasing'', true))', table_name, current_user);
  end loop;
end $$;
create function erase_caddy_proofs(account bigint) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform set_config('trunkline.erasing', account::text, true);
  delete from audit_log where company_id = account;
  delete from opt_out_history where company_id = account;
  delete from registration_event where company_id = account;
  perform set_config('trunkline.erasing', '', true);
end $$;
revoke execute on function erase_caddy_proofs from public;
grant execute on function erase_caddy_proofs to trunkline_system;
