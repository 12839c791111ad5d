-- One row a number of a company: what it is, what it costs, how it answers (decisions A6.1). A number given back stays as a
-- row, because calls and messages of its time point at it.
create table number (
  company_id bigint not null, id bigint not null default next_id(), number text not null, label text not null default '',
  status text not null default 'active' check (status in ('active', 'pending', 'porting', 'suspended', 'parked', 'releasing', 'released')),
  kind smallint not null default 1 check (kind between 1 and 3), category smallint not null default 2 check (category between 1 and 4), provider_id smallint not null default 1 check (provider_id between 1 and 4),
  provider_ref text, purchase_key text, vanity_text text,
  country text not null default 'US', region text not null default '', city text not null default '', rate_center text not null default '', area_code text not null default '',
  routing_type text not null default 'standard' check (routing_type in ('standard', 'simultaneous', 'sequential', 'geo', 'voicemail', 'in-app-calling')), forward_number text,
  schedule_id bigint, greeting_id bigint,
  voicemail_enabled boolean not null default true, voicemail_greeting_id bigint, voicemail_greeting text, voicemail_transcribe boolean not null default true, voicemail_emails text[] not null default '{}', voicemail_sms_notify boolean not null default false,
  record boolean not null default false, recording_announcement text not null default 'default' check (recording_announcement in ('none', 'default', 'custom')), recording_announcement_text text, recording_retention_days int check (recording_retention_days between 30 and 3650),
  call_transcription_enabled boolean not null default false, ai_eav_enabled boolean not null default false,
  sms_enabled boolean not null default true, mms_enabled boolean not null default true, fax_enabled boolean not null default false,
  sms_verification_status text not null default 'none', sms_verification_campaign_id bigint, sms_verification_updated_at timestamptz, sms_verification_reason text,
  caller_id_name text, spam_status text not null default 'unknown' check (spam_status in ('unknown', 'clean', 'flagged')), spam_checked_at timestamptz, e911_enabled boolean not null default false, e911_address_id bigint,
  dni_pool_id bigint, template_id bigint, eav_values jsonb not null default '[]', monthly_price_cents int not null default 0, setup_price_cents int not null default 0,
  purchased_at timestamptz not null default now(), purchased_by bigint, last_swap_at timestamptz,
  releasing_at timestamptz, returns_at timestamptz, released_at timestamptz, release_reason text, status_before text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
-- A company may have had a number twice, but has it once.
create unique index number_held on number (company_id, number) where status <> 'released';
create index number_newest on number (company_id, created_at desc, id desc);
create index number_purchase on number (company_id, purchase_key) where status = 'pending';
select tenant_table('number');

create table number_tag (
  company_id bigint not null, number_id bigint not null, tag_id bigint not null, primary key (company_id, number_id, tag_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade, foreign key (company_id, tag_id) references tag (company_id, id) on delete cascade
);
create index number_tag_tag on number_tag (company_id, tag_id);
select tenant_table('number_tag');

-- What changes with every call and text lies apart from the settings, so that traffic neither rewrites nor locks them.
create table number_activity (
  company_id bigint not null, number_id bigint not null, unread int not null default 0 check (unread >= 0), last_call_at timestamptz, last_message_at timestamptz,
  primary key (company_id, number_id), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_activity');

-- Whose number is it? Asked by everything that comes from outside. Nobody owns a number twice: the primary key decides a race.
create table number_directory (number text primary key, company_id bigint not null, number_id bigint not null);
create index number_directory_company on number_directory (company_id, number_id);
select global_table('number_directory');

-- Found numbers wait here for whoever searched.
create table number_hold (
  number text primary key, id bigint not null unique default next_id(), company_id bigint not null, user_id bigint not null, expires_at timestamptz not null, category smallint not null, found jsonb not null
);
create index number_hold_company on number_hold (company_id, user_id, expires_at);
select global_table('number_hold');

-- Take a number for the company of this transaction, unless somebody has it or holds it. True: it is ours once this commits.
create function claim_number(wanted text, id bigint, holder bigint, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_company() is null then raise exception 'claim_number outside a company'; end if;
  if exists (select from number_hold h where h.number = wanted and h.expires_at > at and (h.company_id <> current_company() or h.user_id <> holder)) then return false; end if;
  insert into number_directory (number, company_id, number_id) values (wanted, current_company(), id) on conflict (number) do nothing;
  return found;
end $$;
create function unclaim_number(given text, of_id bigint) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from number_directory where number = given and company_id = current_company() and number_id = of_id
$$;
grant execute on function claim_number, unclaim_number to trunkline_app, trunkline_system;

create table number_limit (company_id bigint not null, max_numbers int not null check (max_numbers >= 0), primary key (company_id));
select tenant_table('number_limit');
create table number_limit_request (
  company_id bigint not null, id bigint not null default next_id(), requested int not null check (requested > 0), reason text not null, requested_by bigint,
  status text not null default 'open' check (status in ('open', 'granted', 'declined')), created_at timestamptz not null default now(), primary key (company_id, id)
);
create unique index number_limit_request_open on number_limit_request (company_id) where status = 'open';
select tenant_table('number_limit_request');

-- A long job and how far it is (decisions A1 "Async job"). `input` says what to do, `processed` is where to go on after a crash.
create table batch (
  company_id bigint not null, id uuid not null default gen_random_uuid(), kind text not null, input jsonb not null, total int not null check (total >= 0),
  processed int not null default 0, failed int not null default 0, errors jsonb not null default '[]', result jsonb not null default '[]', result_url text,
  created_by bigint, created_at timestamptz not null default now(), finished_at timestamptz, primary key (company_id, id), check (processed <= total), check (failed <= processed)
);
create index batch_newest on batch (company_id, created_at desc);
select tenant_table('batch');

-- The sandbox carrier's own book: which of its numbers somebody ordered. Real carriers keep theirs.
create table sandbox_order (number text primary key, key text not null, ordered_at timestamptz not null default now());
select global_table('sandbox_order');

create or replace function company_numbers(company bigint) returns table (id bigint, number text) language sql stable as
  $$ select n.id, n.number from number n where n.company_id = company and n.status <> 'released' order by n.id $$;
