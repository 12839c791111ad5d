-- A place calls are forwarded to, kept once and named by many routes (decisions A6.6). Changing it changes every route.
create table forward_contact (
  company_id bigint not null, id bigint not null default next_id(), name text not null check (length(name) between 1 and 120),
  type text not null check (type in ('phone', 'sip', 'user')), phone text, user_id bigint references person (id), extension text not null default '',
  -- What tells two apart: where it leads, and the extension dialled there.
  target text not null generated always as (coalesce(phone, 'user:' || user_id::text)) stored,
  caller_id_pass_thru boolean not null default true,
  -- '0'–'9', '65535' star, '65534' pound; null = as the route says.
  confirm_key text, schedule_id bigint, timezone text, tag_ids bigint[] not null default '{}', notes text not null default '',
  -- Somebody answered a call there since it leads there.
  verified_at timestamptz, last_answered_at timestamptz,
  -- Gone, and who takes its place until every route names the other one.
  deleted_at timestamptz, replaced_by bigint,
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), check ((type = 'user') = (user_id is not null)), check ((type = 'user') <> (phone is not null)),
  foreign key (company_id, replaced_by) references forward_contact (company_id, id)
);
create unique index forward_contact_target on forward_contact (company_id, target, extension) where deleted_at is null;
create index forward_contact_phone on forward_contact (company_id, phone) where phone is not null;
create index forward_contact_replaced on forward_contact (company_id, replaced_by) where replaced_by is not null;
select tenant_table('forward_contact');

-- Every time one of them was rung: what the answer rate of thirty days is counted from. Older rows are dropped.
create table forward_attempt (
  company_id bigint not null, contact_id bigint not null, leg text not null, at timestamptz not null, answered boolean not null,
  primary key (company_id, contact_id, leg), foreign key (company_id, contact_id) references forward_contact (company_id, id) on delete cascade
);
create index forward_attempt_at on forward_attempt (company_id, contact_id, at);
create index forward_attempt_old on forward_attempt (at);
select tenant_table('forward_attempt');

-- A destination of a route is a phone, a person, or one of those.
alter table forward add column contact_id bigint;
alter table forward drop constraint forward_check;
alter table forward add constraint forward_one_destination check (num_nonnulls(phone, user_id, contact_id) = 1);
alter table forward add foreign key (company_id, contact_id) references forward_contact (company_id, id);
create index forward_contact_use on forward (company_id, contact_id) where contact_id is not null;

-- Settings and routes to give to a number (decisions A6.4). Applying copies; `routes` are kept as they are sent.
create table number_template (
  company_id bigint not null, id bigint not null default next_id(), name text not null check (length(name) between 1 and 120), name_key text not null generated always as (lower(name)) stored,
  description text not null default '', routes jsonb not null default '[]',
  record boolean not null default false, call_transcription_enabled boolean not null default false, ai_eav_enabled boolean not null default false,
  recording_announcement text not null default 'default' check (recording_announcement in ('none', 'default', 'custom')), recording_announcement_text text,
  schedule_id bigint, greeting_id bigint, voicemail_greeting_id bigint,
  voicemail_enabled boolean not null default true, voicemail_greeting text, voicemail_transcribe boolean not null default true, voicemail_emails text[] not null default '{}', voicemail_sms_notify boolean not null default false,
  tag_ids bigint[] not null default '{}', sms_enabled boolean not null default true, is_default boolean not null default false,
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, name_key),
  -- AI needs the recording and its words.
  check (not ai_eav_enabled or (record and call_transcription_enabled))
);
create unique index number_template_default on number_template (company_id) where is_default;
select tenant_table('number_template');
create index number_of_template on number (company_id, template_id) where template_id is not null;

-- An SMS keyword rule of a number (decisions A6.3).
create table number_trigger (
  company_id bigint not null, id bigint not null default next_id(), number_id bigint not null,
  keyword text not null check (length(keyword) between 1 and 30), keyword_key text not null generated always as (lower(keyword)) stored,
  match_mode text not null default 'exact' check (match_mode in ('exact', 'first_word', 'contains')), active boolean not null default true,
  reply_text text, reply_media jsonb not null default '[]', group_ids bigint[] not null default '{}', label_ids bigint[] not null default '{}',
  set_optin boolean not null default false, notify_user_ids bigint[] not null default '{}', notify_emails text[] not null default '{}', marketing boolean not null default false,
  start_at timestamptz, end_at timestamptz, cooldown_minutes int not null default 60 check (cooldown_minutes between 0 and 43200),
  created_by bigint, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, number_id, keyword_key), check (end_at is null or start_at is null or end_at > start_at),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_trigger');

-- When a rule last answered whom: one answer per cooldown.
create table number_trigger_answer (
  company_id bigint not null, trigger_id bigint not null, party text not null, answered_at timestamptz not null, times int not null default 1,
  primary key (company_id, trigger_id, party), foreign key (company_id, trigger_id) references number_trigger (company_id, id) on delete cascade
);
select tenant_table('number_trigger_answer');

-- Proof that somebody asked for texts: their own words, kept whole (decisions A6.3 set_optin).
create table optin_proof (
  company_id bigint not null, id bigint not null default next_id(), party text not null, number_id bigint not null, trigger_id bigint, keyword text not null, text text not null, at timestamptz not null,
  primary key (company_id, id), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
create index optin_proof_party on optin_proof (company_id, party, at desc);
select tenant_table('optin_proof');
