-- How calls of a number go: its routes in order of extension (decisions A7.1, defaults of the specification B §3).
create table route (
  company_id bigint not null, id bigint not null default next_id(), number_id bigint not null,
  extension int not null default 1, label text not null default '',
  type text not null default 'standard' check (type in ('standard', 'simultaneous', 'sequential', 'geo', 'voicemail', 'in-app-calling')),
  -- null = always open. {preset, timezone, blocks, exceptions, voicemail}; timezone null = the company's.
  business_hours jsonb,
  stagger boolean not null default false, caller_id_pass_thru boolean not null default true,
  -- '0'–'9', '65535' star, '65534' pound; null = none.
  confirm_key text, confirm_key_wait_seconds int not null default 10, confirm_whisper text not null default '',
  timeout_seconds int not null default 20, onhold_music_id bigint,
  geo_by_state_enabled boolean not null default false, geo_by_state_static_fallback boolean not null default true,
  email_alert_addresses text[] not null default '{}',
  voicemail_enabled boolean not null default false, voicemail_greeting text,
  round_robin text not null default 'none' check (round_robin in ('none', 'strict', 'least_recent', 'weighted')),
  -- {action, target}; a route is named by its extension.
  after_hours jsonb,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), unique (company_id, number_id, extension),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('route');

-- A destination of a route: a phone or SIP address, or a user of the company. Rows of their own, so that
-- "what leads to this number" and "where is this phone used" are one index away.
create table forward (
  company_id bigint not null, id bigint not null default next_id(), route_id bigint not null, position int not null,
  label text not null default '', phone text, user_id bigint references person (id) on delete cascade,
  weight int check (weight between 1 and 100), timeout_seconds int, business_hours jsonb,
  area_codes text[] not null default '{}', states text[] not null default '{}',
  caller_id text check (caller_id in ('pass', 'tracking', 'custom')), custom_caller_id text,
  primary key (company_id, id), unique (company_id, route_id, position),
  foreign key (company_id, route_id) references route (company_id, id) on delete cascade,
  check ((phone is null) <> (user_id is null))
);
create index forward_phone on forward (company_id, phone) where phone is not null;
create index forward_user on forward (company_id, user_id) where user_id is not null;
select tenant_table('forward');

-- What a caller meets on a number before any route.
create table number_menu (
  company_id bigint not null, number_id bigint not null,
  -- null = made from the routes' labels.
  greeting text,
  -- 'voicemail' or an extension; null = voicemail when enabled, else the first route.
  fallback text,
  primary key (company_id, number_id), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_menu');

-- Opening hours of the company (user_id null) or of one person (B §3 Schedule).
create table schedule (
  company_id bigint not null, id bigint not null default next_id(), user_id bigint references person (id) on delete cascade,
  timezone text not null default 'UTC', preset smallint not null default 2 check (preset between 1 and 6),
  blocks jsonb not null default '[]', custom_blocks jsonb, exceptions jsonb not null default '[]',
  -- mon_open_hour … sun_close_hour; null = closed.
  hours jsonb not null default '{}', voicemail boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (company_id, id), unique nulls not distinct (company_id, user_id)
);
select tenant_table('schedule');
