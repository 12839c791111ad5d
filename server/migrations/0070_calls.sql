-- One row a call (decisions A9.1): who, when, how it ended, and what people noted about it.
create table call (
  company_id bigint not null, id bigint not null default next_id(),
  number_id bigint not null, outbound boolean not null, carrier text not null,
  from_number text not null, to_number text not null,
  -- The other side: E.164, or 'anonymous' when withheld.
  party text not null, caller_name text, caller_city text, caller_state text,
  contact_id bigint, conversation_id bigint, placed_by bigint references person (id),
  status smallint not null default 1 check (status between 1 and 13),
  outcome smallint not null default 0 check (outcome between 0 and 4), because text, abandoned text,
  started_at timestamptz not null, ringing_at timestamptz, answered_at timestamptz, connected_at timestamptz, ended_at timestamptz,
  ring_seconds int not null default 0, talk_seconds int not null default 0, duration_seconds int not null default 0,
  first_contact boolean not null default false, answered_by jsonb, answered_user_id bigint,
  route_id bigint, extension int, extension_label text, alert_emails text[] not null default '{}',
  -- The number's settings when the call began: later edits never touch a running call.
  transcribe boolean not null default false, transcribe_voicemail boolean not null default false, recording_retention_days int,
  note text not null default '', qualified boolean not null default false, lead boolean not null default false,
  outcome_tags text[] not null default '{}', department text not null default 'unknown', value_cents bigint, spam boolean not null default false,
  eav_values jsonb not null default '[]', source jsonb, dni_pool_id bigint, caller_identity jsonb, summary text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, contact_id) references contact (company_id, id) on delete set null (contact_id)
);
create index call_newest on call (company_id, started_at desc, id desc);
create index call_number on call (company_id, number_id, started_at desc);
create index call_party on call (company_id, party, started_at desc);
create index call_contact on call (company_id, contact_id, started_at desc) where contact_id is not null;
select tenant_table('call');

-- The engine's state while the call runs and a day after (late recordings still come): one row, changed under a version.
create table live_call (
  company_id bigint not null, call_id bigint not null, carrier text not null, carrier_call text not null,
  version int not null default 1, state jsonb not null, over boolean not null default false,
  heard_at timestamptz not null, asked_at timestamptz,
  primary key (company_id, call_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index live_call_running on live_call (company_id, heard_at) where not over;
select tenant_table('live_call');

create table call_leg (
  company_id bigint not null, call_id bigint not null, leg text not null, n int not null,
  role text not null check (role in ('caller', 'agent', 'target')), label text not null, target text, user_id bigint,
  state text not null, cause text, started_at timestamptz not null, answered_at timestamptz, ended_at timestamptz,
  primary key (company_id, call_id, leg), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_leg_open on call_leg (company_id, user_id) where ended_at is null and user_id is not null;
select tenant_table('call_leg');

-- What carriers reported, as they reported it. Never changed; a report that comes twice meets its own row.
create table call_event (
  company_id bigint not null, carrier text not null, event_id text not null, call_id bigint not null,
  event jsonb not null, received_at timestamptz not null,
  primary key (company_id, carrier, event_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_event_call on call_event (company_id, call_id, received_at);
select tenant_table('call_event');

-- What happened (`history`) and why it went there (`path`), in order; people's later edits join the history with their name.
create table call_history (
  company_id bigint not null, id bigint not null default next_id(), call_id bigint not null, kind text not null check (kind in ('history', 'path')),
  at timestamptz not null, code smallint, label text not null, leg text, target text, detail text, actor text, actor_id bigint,
  node text, matched boolean, before jsonb, after jsonb,
  primary key (company_id, id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_history_call on call_history (company_id, call_id, id);
select tenant_table('call_history');

-- A timer is a row, so that a restart in the middle of ringing goes on ringing.
create table call_timer (
  company_id bigint not null, call_id bigint not null, timer text not null, due_at timestamptz not null,
  primary key (company_id, call_id, timer), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_timer_due on call_timer (due_at);
select tenant_table('call_timer');

-- What we want the carrier to do: stored with the state it follows from, performed after commit, again until taken.
create table call_command (
  company_id bigint not null, call_id bigint not null, n bigint not null default next_id(), command_id text not null, command jsonb not null,
  created_at timestamptz not null, done_at timestamptz, tries int not null default 0, failure text,
  primary key (company_id, call_id, n), unique (company_id, command_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_command_pending on call_command (company_id, created_at) where done_at is null;
select tenant_table('call_command');

-- Audio of a call or of the message left in it. `fetch_url` is the carrier's; the bytes are ours once `file_id` is set.
create table recording (
  company_id bigint not null, id bigint not null default next_id(), call_id bigint not null, carrier_recording text not null,
  kind text not null check (kind in ('call', 'voicemail')),
  state text not null check (state in ('pending', 'ready', 'deleted', 'redacted', 'failed')),
  fetch_url text, content_type text not null, duration_ms int not null, channels smallint not null,
  -- Who speaks on each channel: 0 mixed, 1 agent, 2 client.
  speakers smallint[] not null, speech jsonb, peaks jsonb not null default '[]', file_id bigint, failure text,
  created_at timestamptz not null, ready_at timestamptz, delete_after timestamptz, deleted_at timestamptz,
  primary key (company_id, id), unique (company_id, carrier_recording), foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index recording_call on recording (company_id, call_id);
create index recording_old on recording (delete_after) where delete_after is not null and state = 'ready';
select tenant_table('recording');

create table voicemail (
  company_id bigint not null, id bigint not null default next_id(), call_id bigint not null, number_id bigint not null, recording_id bigint not null,
  duration_seconds int not null, received_at timestamptz not null,
  primary key (company_id, id), unique (company_id, recording_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade, foreign key (company_id, recording_id) references recording (company_id, id) on delete cascade
);
create index voicemail_call on voicemail (company_id, call_id);
create index voicemail_newest on voicemail (company_id, received_at desc);
select tenant_table('voicemail');

-- Words of a recording (A9.3).
create table transcription (
  company_id bigint not null, id bigint not null default next_id(), recording_id bigint not null, call_id bigint not null,
  state text not null check (state in ('queued', 'processing', 'ready', 'failed', 'skipped', 'redacted')),
  text text not null default '', raw jsonb, metadata jsonb, statistics jsonb, created_at timestamptz not null, finished_at timestamptz,
  primary key (company_id, id), unique (company_id, recording_id), foreign key (company_id, recording_id) references recording (company_id, id) on delete cascade
);
create index transcription_call on transcription (company_id, call_id);
select tenant_table('transcription');

create table call_tag (
  company_id bigint not null, call_id bigint not null, tag_id bigint not null, added_by bigint, added_at timestamptz not null default now(),
  primary key (company_id, call_id, tag_id), foreign key (company_id, call_id) references call (company_id, id) on delete cascade,
  foreign key (company_id, tag_id) references tag (company_id, id) on delete cascade
);
create index call_tag_tag on call_tag (company_id, tag_id);
select tenant_table('call_tag');

-- Calling in the app: whether a person wants calls, and the devices that are there.
create table calling_person (
  company_id bigint not null, user_id bigint not null references person (id) on delete cascade, status text not null check (status in ('active', 'away')),
  updated_at timestamptz not null, primary key (company_id, user_id)
);
select tenant_table('calling_person');
create table calling_device (
  company_id bigint not null, user_id bigint not null references person (id) on delete cascade, device text not null, seen_at timestamptz not null,
  primary key (company_id, user_id, device)
);
select tenant_table('calling_device');

-- Which company and call a carrier's own call id belongs to. Looked up before any company is known, so no company leads it.
create table call_directory (
  carrier text not null, carrier_call text not null, company_id bigint not null, call_id bigint not null, at timestamptz not null default now(),
  primary key (carrier, carrier_call)
);
select global_table('call_directory');
-- Reports that overtook the one that announces their call.
create table call_early_event (
  carrier text not null, carrier_call text not null, event_id text not null, event jsonb not null, at timestamptz not null default now(),
  primary key (carrier, carrier_call, event_id)
);
select global_table('call_early_event');

-- Enter a new carrier call in the directory, inside the transaction that stores it; false = it is there already. Reports
-- of one carrier call wait for each other here, so none can slip between a look and the announcement.
create function claim_call(carrier_name text, carrier_call_id text, call bigint) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(carrier_name || ':' || carrier_call_id, 70));
  insert into call_directory (carrier, carrier_call, company_id, call_id) values (carrier_name, carrier_call_id, current_company(), call) on conflict do nothing;
  return found;
end $$;
-- Take the reports that came too early for this call.
create function take_early_events(carrier_name text, carrier_call_id text) returns setof jsonb language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query with taken as (delete from call_early_event e where e.carrier = carrier_name and e.carrier_call = carrier_call_id returning e.event, e.at)
    select taken.event from taken order by at;
end $$;
grant execute on function claim_call, take_early_events to trunkline_app, trunkline_system;
