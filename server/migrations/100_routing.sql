-- Opening hours of the company (user_id null) or of one person.
create table schedule (
  company_id bigint not null,
  id bigint not null default next_id(),
  user_id bigint references person (id) on delete cascade,
  timezone text not null default 'UTC',
  preset smallint not null default 2 check (preset between 1 and 6),
  blocks jsonb not null default '[]',
  custom_blocks jsonb,
  exceptions jsonb not null default '[]',
  -- mon_open_hour … sun_close_hour; null: closed.
  hours jsonb not null default '{}',
  voicemail boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique nulls not distinct (company_id, user_id)
);
select tenant_table('schedule');

-- What callers hear: synthesized, uploaded or recorded, kept once as 8 kHz mono and used by
-- numbers, menus and routes.
create table greeting (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null,
  type text not null
    check (type in (
      'welcome', 'menu', 'voicemail', 'hold', 'after_hours', 'recording_notice', 'whisper'
    )),
  -- The words; of a recording or upload, as somebody wrote them down.
  content text not null default '',
  voice text,
  language text,
  file_id bigint not null,
  duration_ms int not null check (duration_ms > 0),
  source text not null check (source in ('tts', 'upload', 'recorded')),
  is_default boolean not null default false,
  created_by bigint references person (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, file_id) references file (company_id, id)
);
create unique index greeting_default on greeting (company_id, type) where is_default;
create index greeting_newest on greeting (company_id, created_at desc, id desc);
select tenant_table('greeting');

-- A number names greetings and schedules of its own company; deleting one brings back the default.
alter table number
  add foreign key (company_id, greeting_id)
    references greeting (company_id, id) on delete set null (greeting_id),
  add foreign key (company_id, voicemail_greeting_id)
    references greeting (company_id, id) on delete set null (voicemail_greeting_id),
  add foreign key (company_id, recording_announcement_greeting_id)
    references greeting (company_id, id) on delete set null (recording_announcement_greeting_id),
  add foreign key (company_id, schedule_id)
    references schedule (company_id, id) on delete set null (schedule_id);

-- How calls of a number are routed: one row an extension.
create table route (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  extension int not null default 1,
  label text not null default '',
  type text not null default 'standard'
    check (type in (
      'standard', 'simultaneous', 'sequential', 'geo', 'voicemail', 'in-app-calling'
    )),
  -- Null: always open. {preset, timezone, blocks, exceptions, voicemail}; timezone null: the
  -- company's.
  business_hours jsonb,
  stagger boolean not null default false,
  caller_id_pass_thru boolean not null default true,
  -- '0'–'9', '65535' star, '65534' pound; null: none.
  confirm_key text,
  confirm_key_wait_seconds int not null default 10,
  confirm_whisper text not null default '',
  timeout_seconds int not null default 20,
  onhold_music_id bigint,
  geo_by_state_enabled boolean not null default false,
  geo_by_state_static_fallback boolean not null default true,
  email_alert_addresses text[] not null default '{}',
  voicemail_enabled boolean not null default false,
  voicemail_greeting text,
  round_robin text not null default 'none'
    check (round_robin in ('none', 'strict', 'least_recent', 'weighted')),
  -- {action, target}; a route is named by its extension.
  after_hours jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  voicemail_greeting_id bigint,
  primary key (company_id, id),
  unique (company_id, number_id, extension),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, voicemail_greeting_id)
    references greeting (company_id, id) on delete set null (voicemail_greeting_id)
);
select tenant_table('route');

-- A destination of a route: a phone or SIP address, a person, or a forward_contact. Rows of their
-- own, so that "where is this phone used" is one index away.
create table forward (
  company_id bigint not null,
  id bigint not null default next_id(),
  route_id bigint not null,
  position int not null,
  label text not null default '',
  phone text,
  user_id bigint references person (id) on delete cascade,
  weight int check (weight between 1 and 100),
  timeout_seconds int,
  business_hours jsonb,
  area_codes text[] not null default '{}',
  states text[] not null default '{}',
  caller_id text check (caller_id in ('pass', 'tracking', 'custom')),
  custom_caller_id text,
  contact_id bigint,
  primary key (company_id, id),
  unique (company_id, route_id, position),
  foreign key (company_id, route_id) references route (company_id, id) on delete cascade,
  constraint forward_one_destination check (num_nonnulls(phone, user_id, contact_id) = 1),
  foreign key (company_id, contact_id) references forward_contact (company_id, id)
);
create index forward_phone on forward (company_id, phone) where phone is not null;
create index forward_user on forward (company_id, user_id) where user_id is not null;
create index forward_contact_use on forward (company_id, contact_id) where contact_id is not null;
select tenant_table('forward');

-- What a caller hears before any route.
create table number_menu (
  company_id bigint not null,
  number_id bigint not null,
  -- Null: made from the labels of the routes.
  greeting text,
  -- 'voicemail' or an extension; null: voicemail when enabled, else the first route.
  fallback text,
  greeting_id bigint,
  primary key (company_id, number_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade,
  foreign key (company_id, greeting_id)
    references greeting (company_id, id) on delete set null (greeting_id)
);
select tenant_table('number_menu');

-- A number's call flow while it is edited; calls follow the published one.
create table flow_draft (
  company_id bigint not null,
  number_id bigint not null,
  -- Grows with each save; a save names the revision it is based on.
  revision int not null default 1,
  -- The version that was live when the draft began; 0: none was kept yet.
  based_on int not null default 0,
  -- {routes, menu} as PUT /numbers/{id} takes them.
  flow jsonb not null,
  edited_by bigint,
  edited_by_name text not null default '',
  edited_at timestamptz not null,
  primary key (company_id, number_id),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('flow_draft');

-- Every flow that was ever live. Never changed: a rollback writes a new version.
create table flow_version (
  company_id bigint not null,
  number_id bigint not null,
  version int not null,
  kind text not null check (kind in ('published', 'saved', 'restored', 'first')),
  flow jsonb not null,
  summary text not null,
  restored_from int,
  published_by bigint,
  published_by_name text,
  published_at timestamptz not null,
  primary key (company_id, number_id, version),
  foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('flow_version');

create function flow_version_stays() returns trigger language plpgsql as
  $$ begin raise exception 'A published flow never changes'; end $$;
create trigger flow_version_stays before update on flow_version
  for each row execute function flow_version_stays();

-- Round robin: the turn of a route, counted where the route is taken.
create table route_round_robin (
  company_id bigint not null,
  route_id bigint not null,
  turns bigint not null default 0,
  primary key (company_id, route_id),
  foreign key (company_id, route_id) references route (company_id, id) on delete cascade
);
select tenant_table('route_round_robin');

-- Who answered on a route, and when last: "least recent" rings whoever waited longest.
create table route_last_answer (
  company_id bigint not null,
  route_id bigint not null,
  destination text not null,
  answered_at timestamptz not null,
  primary key (company_id, route_id, destination),
  foreign key (company_id, route_id) references route (company_id, id) on delete cascade
);
select tenant_table('route_last_answer');
