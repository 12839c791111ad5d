-- Runs of three and four digits. Digits of a number share most of their trigrams with every other
-- number of the area, so a trigram index would return nearly all of them; runs of four are ten
-- times rarer.
create function digit_runs(digits text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(digits, place, size)), '{}') from generate_series(3, 4) size, generate_series(1, length(digits) - size + 1) place
$$;

-- A number of a company: what it is, what it costs, how it answers. One that was given back keeps
-- its row, because calls and messages of its time refer to it.
create table number (
  company_id bigint not null,
  id bigint not null default next_id(),
  number text not null,
  label text not null default '',
  status text not null default 'active'
    check (status in (
      'active', 'pending', 'porting', 'suspended', 'parked', 'releasing', 'released'
    )),
  kind smallint not null default 1 check (kind between 1 and 3),
  category smallint not null default 2 check (category between 1 and 4),
  provider_id smallint not null default 1 check (provider_id between 1 and 4),
  provider_ref text,
  purchase_key text,
  vanity_text text,
  country text not null default 'US',
  region text not null default '',
  city text not null default '',
  rate_center text not null default '',
  area_code text not null default '',
  routing_type text not null default 'standard'
    check (routing_type in (
      'standard', 'simultaneous', 'sequential', 'geo', 'voicemail', 'in-app-calling'
    )),
  forward_number text,
  schedule_id bigint,
  greeting_id bigint,
  voicemail_enabled boolean not null default true,
  voicemail_greeting_id bigint,
  voicemail_greeting text,
  voicemail_transcribe boolean not null default true,
  voicemail_emails text[] not null default '{}',
  voicemail_sms_notify boolean not null default false,
  record boolean not null default false,
  recording_announcement text not null default 'default'
    check (recording_announcement in ('none', 'default', 'custom')),
  recording_announcement_text text,
  recording_retention_days int check (recording_retention_days between 30 and 3650),
  call_transcription_enabled boolean not null default false,
  ai_eav_enabled boolean not null default false,
  sms_enabled boolean not null default true,
  mms_enabled boolean not null default true,
  fax_enabled boolean not null default false,
  sms_verification_status text not null default 'none',
  sms_verification_campaign_id bigint,
  sms_verification_updated_at timestamptz,
  sms_verification_reason text,
  caller_id_name text,
  spam_status text not null default 'unknown'
    check (spam_status in ('unknown', 'clean', 'flagged')),
  spam_checked_at timestamptz,
  e911_enabled boolean not null default false,
  e911_address_id bigint,
  dni_pool_id bigint,
  template_id bigint,
  monthly_price_cents int not null default 0,
  setup_price_cents int not null default 0,
  purchased_at timestamptz not null default now(),
  purchased_by bigint,
  last_swap_at timestamptz,
  releasing_at timestamptz,
  returns_at timestamptz,
  released_at timestamptz,
  release_reason text,
  status_before text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  recording_announcement_greeting_id bigint,
  -- A number that was exchanged leads to its successor until `forward_until`.
  rotated_to bigint,
  forward_until timestamptz,
  -- The lessee's side of a lease; the listing is the lister's. A leased number goes back to whoever
  -- listed it, not to the carrier.
  lease_ends_at timestamptz,
  lease_listing_id bigint,
  lease_monthly_cents int,
  lease_term_months int,
  lease_notice_at timestamptz,
  primary key (company_id, id)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- A company may have had a number twice, but has it once.
create unique index number_held on number (company_id, number) where status <> 'released';
create index number_newest on number (company_id, created_at desc, id desc);
create index number_purchase on number (company_id, purchase_key) where status = 'pending';
create index number_schedule on number (company_id, schedule_id) where schedule_id is not null;
create index number_of_template on number (company_id, template_id) where template_id is not null;
create index number_by_number on number (company_id, number);
create index number_releasing on number (company_id, returns_at) where status = 'releasing';
-- Sort orders of the table of numbers.
create index number_in_order_of_label on number (company_id, lower(label), id);
create index number_in_order on number (company_id, number, id);
-- One number a lease.
create unique index number_by_lease on number (company_id, lease_listing_id)
  where lease_listing_id is not null and status <> 'released';
create index number_search_digits on number using gin (company_id, digit_runs(substr(number, 2)))
  where status <> 'released';
-- The parts are separated by a character that nobody types.
create index number_search
  on number
  using gin (
    company_id,
    lower(label || chr(31) || city || chr(31) || coalesce(vanity_text, '')) gin_trgm_ops
  )
  where status <> 'released';
-- Counts the numbers of a company without reading rows.
create index number_listed on number (company_id) where status not in ('released', 'pending');
select tenant_table('number');

-- References of earlier modules to numbers of the same company.
alter table block add foreign key (company_id, number_id) references number (company_id, id);
alter table sms_campaign_number
  add foreign key (company_id, number_id) references number (company_id, id);

create table number_tag (
  company_id bigint not null,
  number_id bigint not null,
  tag_id bigint not null,
  primary key (company_id, number_id, tag_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, tag_id) references tag (company_id, id) on delete cascade
);
create index number_tag_tag on number_tag (company_id, tag_id);
select tenant_table('number_tag');

-- What changes with every call and text, apart from the settings, so that traffic neither rewrites
-- nor locks those.
create table number_activity (
  company_id bigint not null,
  number_id bigint not null,
  unread int not null default 0 check (unread >= 0),
  last_call_at timestamptz,
  last_message_at timestamptz,
  primary key (company_id, number_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_activity');

-- The history of a number, in words. Texts are counted by day instead (number_usage_day): they are many.
create table number_event (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  at timestamptz not null,
  type text not null,
  actor_type text not null check (actor_type in ('user', 'key', 'system', 'platform')),
  actor_id bigint,
  actor_name text not null default '',
  summary text not null,
  before jsonb,
  after jsonb,
  -- What the entry is about (a call, an event that may come twice): once only.
  source text,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
create unique index number_event_once on number_event (company_id, number_id, source)
  where source is not null;
create index number_event_newest on number_event (company_id, number_id, at desc, id desc);
select tenant_table('number_event');

-- Inbound calls to a number since then, and those that ended within ten seconds of being answered:
-- mostly wrong numbers. For the marketplace, inlined into its lists.
create function number_calls_since(company bigint, of_number bigint, since timestamptz)
returns table (calls int, misdials int) language sql stable as $$
  select count(*)::int,
    count(*) filter (
      where e.after ->> 'outcome' = '1' and (e.after ->> 'talkSeconds')::numeric < 10
    )::int
  from number_event e
  where e.company_id = company and e.number_id = of_number and e.at >= since and e.type = 'call'
    and e.after ->> 'outbound' is distinct from 'true'
$$;

create table number_usage_day (
  company_id bigint not null,
  number_id bigint not null,
  day date not null,
  messages int not null default 0,
  last_message_at timestamptz not null,
  primary key (company_id, number_id, day),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_usage_day');

-- Whose number is it? Asked for everything that comes from outside. A number has one owner: the
-- primary key decides races.
create table number_directory (
  number text primary key,
  company_id bigint not null,
  number_id bigint not null
);
create index number_directory_company on number_directory (company_id, number_id);
select global_table('number_directory');

-- Search results, reserved for whoever searched.
create table number_reservation (
  number text primary key,
  id bigint not null unique default next_id(),
  company_id bigint not null,
  user_id bigint not null,
  expires_at timestamptz not null,
  category smallint not null,
  found jsonb not null
);
create index number_reservation_company on number_reservation (company_id, user_id, expires_at);
select global_table('number_reservation');

-- Takes a number for the company of this transaction, unless somebody owns or reserved it. True: it
-- is ours once this commits, and its reservation is over.
create function claim_number(wanted text, id bigint, holder bigint, at timestamptz)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_company() is null then raise exception 'claim_number outside a company'; end if;
  if exists (select from number_reservation h where h.number = wanted and h.expires_at > at and (h.company_id <> current_company() or h.user_id <> holder)) then return false; end if;
  insert into number_directory (number, company_id, number_id) values (wanted, current_company(), id) on conflict (number) do nothing;
  if not found then return false; end if;
  delete from number_reservation h where h.number = wanted;
  return true;
end $$;

create function unclaim_number(given text, of_id bigint)
returns void language sql security definer set search_path = public, pg_temp as $$
  delete from number_directory where number = given and company_id = current_company() and number_id = of_id
$$;
grant execute on function claim_number, unclaim_number to trunkline_app, trunkline_system;

create table number_limit (
  company_id bigint not null,
  max_numbers int not null check (max_numbers >= 0),
  primary key (company_id)
);
select tenant_table('number_limit');

create table number_limit_request (
  company_id bigint not null,
  id bigint not null default next_id(),
  requested int not null check (requested > 0),
  reason text not null,
  requested_by bigint,
  status text not null default 'open' check (status in ('open', 'granted', 'declined')),
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index number_limit_request_open on number_limit_request (company_id)
  where status = 'open';
select tenant_table('number_limit_request');

-- A place calls are forwarded to, kept once and used by many routes: changing it changes all of
-- them.
create table forward_contact (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 120),
  type text not null check (type in ('phone', 'sip', 'user')),
  phone text,
  user_id bigint references person (id),
  extension text not null default '',
  -- What tells two apart: where it leads, and the extension dialed there.
  target text not null generated always as (coalesce(phone, 'user:' || user_id::text)) stored,
  caller_id_pass_thru boolean not null default true,
  -- '0'–'9', '65535' star, '65534' pound; null: as the route says.
  confirm_key text,
  schedule_id bigint,
  timezone text,
  tag_ids bigint[] not null default '{}',
  notes text not null default '',
  -- Somebody answered a call there since it leads there.
  verified_at timestamptz,
  last_answered_at timestamptz,
  -- Deleted, and what replaces it until every route names the other one.
  deleted_at timestamptz,
  replaced_by bigint,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check ((type = 'user') = (user_id is not null)),
  check ((type = 'user') <> (phone is not null)),
  foreign key (company_id, replaced_by) references forward_contact (company_id, id)
);
create unique index forward_contact_target on forward_contact (company_id, target, extension)
  where deleted_at is null;
create index forward_contact_phone on forward_contact (company_id, phone) where phone is not null;
create index forward_contact_replaced on forward_contact (company_id, replaced_by)
  where replaced_by is not null;
select tenant_table('forward_contact');

-- Every time one of them rang: what the answer rate of 30 days is computed from. Older rows are
-- deleted.
create table forward_attempt (
  company_id bigint not null,
  contact_id bigint not null,
  leg text not null,
  at timestamptz not null,
  answered boolean not null,
  primary key (company_id, contact_id, leg),
  foreign key (company_id, contact_id) references forward_contact (company_id, id) on delete cascade
);
create index forward_attempt_at on forward_attempt (company_id, contact_id, at);
create index forward_attempt_old on forward_attempt (at);
select tenant_table('forward_attempt');

-- Settings and routes to apply to numbers. Applying copies them; `routes` are kept as they were
-- sent.
create table number_template (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null check (length(name) between 1 and 120),
  name_key text not null generated always as (lower(name)) stored,
  description text not null default '',
  routes jsonb not null default '[]',
  record boolean not null default false,
  call_transcription_enabled boolean not null default false,
  ai_eav_enabled boolean not null default false,
  recording_announcement text not null default 'default'
    check (recording_announcement in ('none', 'default', 'custom')),
  recording_announcement_text text,
  schedule_id bigint,
  greeting_id bigint,
  voicemail_greeting_id bigint,
  voicemail_enabled boolean not null default true,
  voicemail_greeting text,
  voicemail_transcribe boolean not null default true,
  voicemail_emails text[] not null default '{}',
  voicemail_sms_notify boolean not null default false,
  tag_ids bigint[] not null default '{}',
  sms_enabled boolean not null default true,
  is_default boolean not null default false,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, name_key),
  -- AI needs the recording and its transcript.
  check (not ai_eav_enabled or (record and call_transcription_enabled))
);
create unique index number_template_default on number_template (company_id) where is_default;
select tenant_table('number_template');

-- An SMS keyword rule of a number.
create table number_trigger (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  keyword text not null check (length(keyword) between 1 and 30),
  keyword_key text not null generated always as (lower(keyword)) stored,
  match_mode text not null default 'exact'
    check (match_mode in ('exact', 'first_word', 'contains')),
  active boolean not null default true,
  reply_text text,
  reply_media jsonb not null default '[]',
  group_ids bigint[] not null default '{}',
  label_ids bigint[] not null default '{}',
  set_optin boolean not null default false,
  notify_user_ids bigint[] not null default '{}',
  notify_emails text[] not null default '{}',
  marketing boolean not null default false,
  start_at timestamptz,
  end_at timestamptz,
  cooldown_minutes int not null default 60 check (cooldown_minutes between 0 and 43200),
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number_id, keyword_key),
  check (end_at is null or start_at is null or end_at > start_at),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_trigger');

-- When a rule last answered whom: one answer per cooldown.
create table number_trigger_reply (
  company_id bigint not null,
  trigger_id bigint not null,
  party text not null,
  answered_at timestamptz not null,
  times int not null default 1,
  primary key (company_id, trigger_id, party),
  foreign key (company_id, trigger_id) references number_trigger (company_id, id) on delete cascade
);
select tenant_table('number_trigger_reply');

-- Proof that somebody asked for texts: their own words, whole.
create table optin_proof (
  company_id bigint not null,
  id bigint not null default next_id(),
  party text not null,
  number_id bigint not null,
  trigger_id bigint,
  keyword text not null,
  text text not null,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
create index optin_proof_party on optin_proof (company_id, party, at desc);
select tenant_table('optin_proof');

-- Which of the company's numbers at another carrier stands in for this one: for texts that its
-- carrier certainly did not accept, for calls only while the carrier is down (`away`) or also when
-- it rejects one (`refused`). Without a row there is no failover.
create table carrier_failover (
  company_id bigint not null,
  number_id bigint not null,
  via_number_id bigint not null,
  updated_at timestamptz not null default now(),
  texts boolean not null default true,
  calls text not null default 'never' check (calls in ('never', 'away', 'refused')),
  primary key (company_id, number_id),
  check (via_number_id <> number_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, via_number_id) references number (company_id, id) on delete cascade
);
create index carrier_failover_via on carrier_failover (company_id, via_number_id);
select tenant_table('carrier_failover');

-- The state of the installation's account at each carrier when it was last checked.
create table carrier_account (
  carrier text primary key,
  state text not null check (state in ('ok', 'warning', 'refused', 'unreachable')),
  sentence text,
  since timestamptz not null,
  checked_at timestamptz not null,
  last_worked_at timestamptz
);
select global_table('carrier_account');

-- Which numbers may match, at most `most` from each part; the list applies its own filters to those
-- (row-level security forbids these indexes to the role of the list). `pattern` is lower case with
-- its wildcards; `digits` has none, and at least three. In plpgsql, so that a connection plans each
-- statement once.
create function numbers_matching(company bigint, pattern text, digits text, most int)
returns table (id bigint) language plpgsql stable rows 100 security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
begin
  if company is distinct from current_company() then return; end if;
  return query select n.id from number n where n.company_id = company and n.status <> 'released'
    and lower(n.label || chr(31) || n.city || chr(31) || coalesce(n.vanity_text, '')) like pattern limit most;
  if digits is not null then
    return query select n.id from number n where n.company_id = company and n.status <> 'released'
      and digit_runs(substr(n.number, 2)) @> (select array_agg(substr(digits, place, least(length(digits), 4))) from generate_series(1, greatest(1, length(digits) - 3)) place)
      and n.number like '%' || digits || '%' limit most;
  end if;
end
$$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function numbers_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function numbers_matching from public;
grant execute on function numbers_matching to trunkline_app;

-- Asked by companies.
create function company_numbers(company bigint)
returns table (id bigint, number text) language sql stable as
  $$ select n.id, n.number from number n where n.company_id = company and n.status <> 'released' order by n.id $$;

-- Asked by SMS registration; the provider decides whose registry a number goes to.
create function registrable_numbers(company bigint)
returns table (
  id bigint, number text, label text, category smallint, live boolean, sms_enabled boolean,
  provider_id smallint
)
language sql stable as
  $$ select n.id, n.number, n.label, n.category, n.status = 'active', n.sms_enabled, n.provider_id from number n where n.company_id = company and n.status <> 'released' $$;
