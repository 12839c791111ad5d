-- A second factor of a person's sign-in. `secret_sealed`: the authenticator app's secret, or the
-- phone number that codes are texted to; `pending_sealed` replaces it when it is verified.
-- Codes of a time step up to `last_step` are refused, so that none is accepted twice.
create table mfa_factor (
  person_id bigint not null references person (id) on delete cascade,
  kind text not null check (kind in ('totp', 'sms', 'email')),
  secret_sealed text,
  pending_sealed text,
  verified_at timestamptz,
  last_step bigint,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (person_id, kind)
);
select global_table('mfa_factor');

-- For a person whose other factors are lost: each works once.
create table recovery_code (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  hash text not null unique,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index recovery_code_person on recovery_code (person_id);
select global_table('recovery_code');

create table passkey (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id, id);
select global_table('passkey');

-- What an authenticator must sign: random, hashed at rest, used once. `person_id` null: whoever the
-- passkey belongs to.
create table passkey_challenge (
  hash text primary key,
  purpose text not null check (purpose in ('register', 'sign_in')),
  person_id bigint references person (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_expiry on passkey_challenge (expires_at);
select global_table('passkey_challenge');

-- A sign-in whose password was right and whose second factor is awaited.
create table pending_sign_in (
  id bigint primary key default next_id(),
  hash text not null unique,
  person_id bigint not null references person (id) on delete cascade,
  remember boolean not null,
  admin_mode boolean not null,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index pending_sign_in_expiry on pending_sign_in (expires_at);
create index pending_sign_in_person on pending_sign_in (person_id);
select global_table('pending_sign_in');

-- Since when the person has a second factor or a passkey; null: neither. Read with each session.
alter table person add mfa_enabled_at timestamptz;
-- When the person last proved, in this session, that it is them.
alter table session add confirmed_at timestamptz;

alter table sent_code drop constraint sent_code_purpose_check;
alter table sent_code add constraint sent_code_purpose_check
  check (purpose in ('reset', 'signup', 'first_owner', 'mfa_sms', 'mfa_email'));

-- A number of the person's companies that may text `target`; no row: none. Never `target` itself:
-- whoever reads that number's texts would receive the code that protects it. Registration counts as
-- in `isVerified` (modules/compliance). The tables of numbers come in a later migration.
create function code_sender(of_person bigint, target text)
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
      and n.sms_enabled and n.number <> target
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
