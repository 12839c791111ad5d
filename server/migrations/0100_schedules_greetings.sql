-- What callers hear: spoken, uploaded or recorded, kept once as 8 kHz mono and named by numbers, menus and routes (A7.4).
create table greeting (
  company_id bigint not null, id bigint not null default next_id(), name text not null,
  type text not null check (type in ('welcome', 'menu', 'voicemail', 'hold', 'after_hours', 'recording_notice', 'whisper')),
  -- The words; of a recording or upload, what somebody wrote down of it.
  content text not null default '', voice text, language text,
  file_id bigint not null, duration_ms int not null check (duration_ms > 0), source text not null check (source in ('tts', 'upload', 'recorded')),
  is_default boolean not null default false, created_by bigint references person (id) on delete set null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id), foreign key (company_id, file_id) references file (company_id, id)
);
create unique index greeting_default on greeting (company_id, type) where is_default;
create index greeting_newest on greeting (company_id, created_at desc, id desc);
select tenant_table('greeting');

-- Nothing can name a greeting or a schedule of another company, or one that is gone; a greeting that goes leaves the usual words.
alter table number add recording_announcement_greeting_id bigint,
  add foreign key (company_id, greeting_id) references greeting (company_id, id) on delete set null (greeting_id),
  add foreign key (company_id, voicemail_greeting_id) references greeting (company_id, id) on delete set null (voicemail_greeting_id),
  add foreign key (company_id, recording_announcement_greeting_id) references greeting (company_id, id) on delete set null (recording_announcement_greeting_id),
  add foreign key (company_id, schedule_id) references schedule (company_id, id) on delete set null (schedule_id);
alter table number_menu add greeting_id bigint, add foreign key (company_id, greeting_id) references greeting (company_id, id) on delete set null (greeting_id);
alter table route add voicemail_greeting_id bigint, add foreign key (company_id, voicemail_greeting_id) references greeting (company_id, id) on delete set null (voicemail_greeting_id);
create index number_schedule on number (company_id, schedule_id) where schedule_id is not null;
