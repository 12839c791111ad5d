-- One row a call: who, when, how it ended, and what people noted about it.
create table call (
  company_id bigint not null,
  id bigint not null default next_id(),
  number_id bigint not null,
  outbound boolean not null,
  carrier text not null,
  from_number text not null,
  to_number text not null,
  -- The other side: E.164, or 'anonymous' when withheld.
  party text not null,
  caller_name text,
  caller_city text,
  caller_state text,
  contact_id bigint,
  conversation_id bigint,
  placed_by bigint references person (id),
  status smallint not null default 1 check (status between 1 and 13),
  outcome smallint not null default 0 check (outcome between 0 and 4),
  because text,
  abandoned text,
  started_at timestamptz not null,
  ringing_at timestamptz,
  answered_at timestamptz,
  connected_at timestamptz,
  ended_at timestamptz,
  ring_seconds int not null default 0,
  talk_seconds int not null default 0,
  duration_seconds int not null default 0,
  first_contact boolean not null default false,
  answered_by jsonb,
  answered_user_id bigint,
  route_id bigint,
  extension int,
  extension_label text,
  alert_emails text[] not null default '{}',
  -- The number's settings when the call began: later edits never change a running call.
  transcribe boolean not null default false,
  transcribe_voicemail boolean not null default false,
  recording_retention_days int,
  note text not null default '',
  qualified boolean not null default false,
  lead boolean not null default false,
  outcome_tags text[] not null default '{}',
  department text not null default 'unknown',
  value_cents bigint,
  spam boolean not null default false,
  source jsonb,
  dni_pool_id bigint,
  caller_identity jsonb,
  summary text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id),
  foreign key (company_id, contact_id)
    references contact (company_id, id) on delete set null (contact_id)
) with (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
create index call_newest on call (company_id, started_at desc, id desc);
create index call_number on call (company_id, number_id, started_at desc);
create index call_party on call (company_id, party, started_at desc);
create index call_contact on call (company_id, contact_id, started_at desc)
  where contact_id is not null;
select tenant_table('call');

-- The engine's state while the call runs and for a day after (late recordings still come): one row,
-- changed under a version.
create table live_call (
  company_id bigint not null,
  call_id bigint not null,
  carrier text not null,
  carrier_call text not null,
  version int not null default 1,
  state jsonb not null,
  ended boolean not null default false,
  last_event_at timestamptz not null,
  requested_at timestamptz,
  -- Some leg of it is at another carrier (call_interconnect).
  has_interconnect boolean not null default false,
  primary key (company_id, call_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index live_call_running on live_call (company_id, last_event_at) where not ended;
select tenant_table('live_call');

-- `monitor`: a supervisor, who has a leg of their own.
create table call_leg (
  company_id bigint not null,
  call_id bigint not null,
  leg text not null,
  n int not null,
  role text not null check (role in ('caller', 'agent', 'target', 'monitor')),
  label text not null,
  target text,
  user_id bigint,
  state text not null,
  cause text,
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  primary key (company_id, call_id, leg),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_leg_open on call_leg (company_id, user_id)
  where ended_at is null and user_id is not null;
-- Asked of every inbound call: is it one of our own outbound legs that rings here?
create index call_leg_ringing on call_leg (company_id, target)
  where ended_at is null and role = 'target';
select tenant_table('call_leg');

-- A leg that another carrier rings, because the call's own carrier did not take it, and the
-- interconnect by which the two carriers exchange audio: the own carrier dials the company's number
-- at the other one, or our own exchange by SIP. `line` and `far_leg` are its two ends.
create table call_interconnect (
  company_id bigint not null,
  call_id bigint not null,
  leg text not null,
  carrier text not null,
  via_number_id bigint,
  via_number text not null,
  line text not null,
  far_leg text,
  from_number text not null,
  state text not null default 'asked' check (state in ('asked', 'arrived', 'over')),
  -- How the leg is rung once the interconnect is up.
  ring jsonb not null,
  requested_at timestamptz not null,
  -- By SIP the interconnect is called by a name for this one call instead of a number, and the
  -- caller brings a token that works once: only its hash is here, and is removed when used.
  token_hash text,
  primary key (company_id, call_id, leg),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
-- An interconnect is known by its two numbers alone: one at a time may be set up between them.
create unique index call_interconnect_asked on call_interconnect (company_id, via_number, from_number)
  where state = 'asked';
create index call_interconnect_expected on call_interconnect (via_number) where state = 'asked';
create index call_interconnect_token on call_interconnect (token_hash) where token_hash is not null;
select tenant_table('call_interconnect');

-- A call parked in a numbered slot. The row lasts as long as the slot is taken, so that no two
-- calls share one.
create table parked_call (
  company_id bigint not null,
  slot int not null check (slot between 1 and 99),
  call_id bigint not null,
  until timestamptz not null,
  primary key (company_id, slot),
  unique (company_id, call_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
select tenant_table('parked_call');

-- Events of the carriers, as reported. Never changed; one that comes twice meets its own row.
create table call_event (
  company_id bigint not null,
  carrier text not null,
  event_id text not null,
  call_id bigint not null,
  event jsonb not null,
  received_at timestamptz not null,
  primary key (company_id, carrier, event_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_event_call on call_event (company_id, call_id, received_at);
create index call_event_old on call_event (received_at);
select tenant_table('call_event');

-- What happened (`history`) and why the call went there (`path`), in order; people's later edits
-- are added to the history.
create table call_history (
  company_id bigint not null,
  id bigint not null default next_id(),
  call_id bigint not null,
  kind text not null check (kind in ('history', 'path')),
  at timestamptz not null,
  code smallint,
  label text not null,
  leg text,
  target text,
  detail text,
  actor text,
  actor_id bigint,
  node text,
  matched boolean,
  before jsonb,
  after jsonb,
  primary key (company_id, id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_history_call on call_history (company_id, call_id, id);
select tenant_table('call_history');

-- Timers are rows, so that a restart while ringing goes on ringing.
create table call_timer (
  company_id bigint not null,
  call_id bigint not null,
  timer text not null,
  due_at timestamptz not null,
  primary key (company_id, call_id, timer),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_timer_due on call_timer (due_at);
select tenant_table('call_timer');

-- Commands to the carrier: stored with the state they follow from, sent after commit, retried until
-- accepted.
create table call_command (
  company_id bigint not null,
  call_id bigint not null,
  n bigint not null default next_id(),
  command_id text not null,
  command jsonb not null,
  created_at timestamptz not null,
  done_at timestamptz,
  tries int not null default 0,
  failure text,
  -- Null: the call's own carrier.
  carrier text,
  primary key (company_id, call_id, n),
  unique (company_id, command_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_command_pending on call_command (company_id, created_at) where done_at is null;
select tenant_table('call_command');

-- Audio of a call, or of the message left in it. `fetch_url` is the carrier's; the bytes are ours
-- once `file_id` is set.
create table recording (
  company_id bigint not null,
  id bigint not null default next_id(),
  call_id bigint not null,
  carrier_recording text not null,
  kind text not null check (kind in ('call', 'voicemail')),
  state text not null check (state in ('pending', 'ready', 'deleted', 'redacted', 'failed')),
  fetch_url text,
  content_type text not null,
  duration_ms int not null,
  channels smallint not null,
  -- Who speaks on each channel: 0 mixed, 1 agent, 2 client.
  speakers smallint[] not null,
  speech jsonb,
  peaks jsonb not null default '[]',
  file_id bigint,
  failure text,
  created_at timestamptz not null,
  ready_at timestamptz,
  delete_after timestamptz,
  deleted_at timestamptz,
  primary key (company_id, id),
  unique (company_id, carrier_recording),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index recording_call on recording (company_id, call_id);
create index recording_old on recording (delete_after)
  where delete_after is not null and state = 'ready';
select tenant_table('recording');

create table voicemail (
  company_id bigint not null,
  id bigint not null default next_id(),
  call_id bigint not null,
  number_id bigint not null,
  recording_id bigint not null,
  duration_seconds int not null,
  received_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, recording_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade,
  foreign key (company_id, recording_id) references recording (company_id, id) on delete cascade
);
create index voicemail_call on voicemail (company_id, call_id);
create index voicemail_newest on voicemail (company_id, received_at desc);
select tenant_table('voicemail');

-- The transcript of a recording.
create table transcription (
  company_id bigint not null,
  id bigint not null default next_id(),
  recording_id bigint not null,
  call_id bigint not null,
  state text not null
    check (state in ('queued', 'processing', 'ready', 'failed', 'skipped', 'redacted')),
  text text not null default '',
  raw jsonb,
  metadata jsonb,
  statistics jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (company_id, id),
  unique (company_id, recording_id),
  foreign key (company_id, recording_id) references recording (company_id, id) on delete cascade
);
create index transcription_call on transcription (company_id, call_id);
select tenant_table('transcription');

create table call_tag (
  company_id bigint not null,
  call_id bigint not null,
  tag_id bigint not null,
  added_by bigint,
  added_at timestamptz not null default now(),
  primary key (company_id, call_id, tag_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade,
  foreign key (company_id, tag_id) references tag (company_id, id) on delete cascade
);
create index call_tag_tag on call_tag (company_id, tag_id);
select tenant_table('call_tag');

-- Search index of calls, one row a call: who called, its note and tags, and what was said (by both,
-- and by each side). Words are stemmed ('english'), so "appointments" finds "appointment". Kept up
-- to date by triggers, so that no way of changing a call can forget it.
create table call_search_text (
  company_id bigint not null,
  call_id bigint not null,
  number_id bigint not null,
  started_at timestamptz not null,
  party text not null,
  words tsvector not null,
  agent tsvector not null,
  client tsvector not null,
  primary key (company_id, call_id),
  foreign key (company_id, call_id) references call (company_id, id) on delete cascade
);
create index call_search_text_words on call_search_text using gin (company_id, words);
create index call_search_text_party on call_search_text using gin (company_id, party gin_trgm_ops);
select tenant_table('call_search_text');

create function refresh_call_words(company bigint, calls bigint[]) returns void language sql as $$
  insert into call_search_text (company_id, call_id, number_id, started_at, party, words, agent, client)
  select c.company_id, c.id, c.number_id, c.started_at, c.party,
    to_tsvector('english', left(concat_ws(E'\n', c.caller_name, k.name, c.note,
      (select string_agg(t.name, E'\n') from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id where g.company_id = c.company_id and g.call_id = c.id), w.spoken), 600000)),
    to_tsvector('english', left(coalesce(w.agent, ''), 600000)), to_tsvector('english', left(coalesce(w.client, ''), 600000))
  from call c left join contact k on k.company_id = c.company_id and k.id = c.contact_id
    left join lateral (
      select string_agg(t.text, E'\n') spoken, string_agg(s.agent, E'\n') agent, string_agg(s.client, E'\n') client from transcription t
      cross join lateral (select string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '1') agent, string_agg(x ->> 'text', E'\n') filter (where x ->> 'speaker' = '2') client
        from jsonb_array_elements(case when jsonb_typeof(t.metadata -> 'segments') = 'array' then t.metadata -> 'segments' else '[]' end) x) s
      where t.company_id = c.company_id and t.call_id = c.id and t.state = 'ready') w on true
  where c.company_id = company and c.id = any(calls)
  on conflict (company_id, call_id) do update set number_id = excluded.number_id, started_at = excluded.started_at, party = excluded.party, words = excluded.words, agent = excluded.agent, client = excluded.client
$$;

create function note_call_words() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'call' then perform refresh_call_words(new.company_id, array[new.id]);
  elsif tg_op = 'DELETE' then perform refresh_call_words(old.company_id, array[old.call_id]);
  else perform refresh_call_words(new.company_id, array[new.call_id]);
  end if;
  return null;
end $$;
create trigger call_search_text_of_call after insert on call
  for each row execute function note_call_words();
create trigger call_search_text_of_change after update on call
  for each row
  when (
    row(old.note, old.caller_name, old.contact_id, old.party, old.number_id, old.started_at)
    is distinct from
    row(new.note, new.caller_name, new.contact_id, new.party, new.number_id, new.started_at)
  )
  execute function note_call_words();
create trigger call_search_text_of_tag after insert or delete on call_tag
  for each row execute function note_call_words();
create trigger call_search_text_of_said
  after insert or update of state, text, metadata or delete on transcription
  for each row execute function note_call_words();

-- The name of a contact or a tag changed: their calls are found by the new one.
create function note_names_of_calls() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'contact' then
    perform refresh_call_words(new.company_id, array(select c.id from call c where c.company_id = new.company_id and c.contact_id = new.id));
  else
    perform refresh_call_words(new.company_id, array(select g.call_id from call_tag g where g.company_id = new.company_id and g.tag_id = new.id));
  end if;
  return null;
end $$;
create trigger call_search_text_of_contact after update on contact
  for each row
  when (old.name is distinct from new.name)
  execute function note_names_of_calls();
create trigger call_search_text_of_tag_name after update on tag
  for each row
  when (old.name is distinct from new.name)
  execute function note_names_of_calls();

-- Calling in the app: whether a person takes calls, and on which devices.
create table calling_person (
  company_id bigint not null,
  user_id bigint not null references person (id) on delete cascade,
  status text not null check (status in ('active', 'away')),
  updated_at timestamptz not null,
  primary key (company_id, user_id)
);
select tenant_table('calling_person');

create table calling_device (
  company_id bigint not null,
  user_id bigint not null references person (id) on delete cascade,
  device text not null,
  seen_at timestamptz not null,
  primary key (company_id, user_id, device)
);
select tenant_table('calling_device');

-- Who is behind a number, cached 30 days for the company that asked. `identity` null: unknown,
-- cached a day.
create table caller_identity (
  company_id bigint not null,
  number text not null,
  identity jsonb,
  source text not null,
  checked_at timestamptz not null,
  primary key (company_id, number)
);
select tenant_table('caller_identity');

-- One row a query to the lookup provider, for billing.
create table caller_lookup (
  company_id bigint not null,
  id bigint not null default next_id(),
  number text not null,
  source text not null,
  found boolean not null,
  billable boolean not null,
  user_id bigint,
  at timestamptz not null,
  primary key (company_id, id)
);
create index caller_lookup_at on caller_lookup (company_id, at);
select tenant_table('caller_lookup');

-- Which company and call a carrier's call id belongs to. Looked up before any company is known.
create table carrier_call_index (
  carrier text not null,
  carrier_call text not null,
  company_id bigint not null,
  call_id bigint not null,
  at timestamptz not null default now(),
  primary key (carrier, carrier_call)
);
select global_table('carrier_call_index');

-- Carrier events that arrived before the one that announces their call.
create table unmatched_call_event (
  carrier text not null,
  carrier_call text not null,
  event_id text not null,
  event jsonb not null,
  at timestamptz not null default now(),
  primary key (carrier, carrier_call, event_id)
);
select global_table('unmatched_call_event');

-- Enters a new carrier call in the directory, in the transaction that stores it; false: it is there
-- already. Events of one carrier call wait for each other here, so that none is lost between the
-- look-up and the entry.
create function claim_call(carrier_name text, carrier_call_id text, call bigint)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(carrier_name || ':' || carrier_call_id, 70));
  insert into carrier_call_index (carrier, carrier_call, company_id, call_id) values (carrier_name, carrier_call_id, current_company(), call) on conflict do nothing;
  return found;
end $$;

-- Removes and returns the events that came too early for this call.
create function take_early_events(carrier_name text, carrier_call_id text)
returns setof jsonb language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query with taken as (delete from unmatched_call_event e where e.carrier = carrier_name and e.carrier_call = carrier_call_id returning e.event, e.at)
    select taken.event from taken order by at;
end $$;
grant execute on function claim_call, take_early_events to trunkline_app, trunkline_system;

-- Row-level security forbids these indexes to the roles it binds (their operators are not
-- leakproof), so the match runs as the system role, for the company of the transaction only.
-- `wanted`: [{ "text", "way": word | phrase | prefix | digits, "of": all | agent | client, "not":
-- bool }].
create function calls_matching(
  company bigint, wanted jsonb, numbers bigint[], since timestamptz, before timestamptz
)
returns table (call_id bigint, started_at timestamptz)
language plpgsql stable rows 200 security definer
set search_path = public, pg_temp as $$
declare
  term jsonb; q tsquery; what text := ''; said text;
begin
  if company is distinct from current_company() then return; end if;
  for term in select * from jsonb_array_elements(wanted) loop
    said := term ->> 'text';
    q := case term ->> 'way' when 'phrase' then phraseto_tsquery('english', said) when 'prefix' then to_tsquery('english', quote_literal(said) || ':*') else plainto_tsquery('english', said) end;
    if term ->> 'way' = 'digits' then
      what := what || format(' and %s (w.party like %L or w.words @@ %L::tsquery)', case when (term ->> 'not')::boolean then 'not' else '' end, '%' || said || '%', q);
    elsif numnode(q) > 0 then
      -- The words of both sides are among all words: that index finds the candidates, the side is looked at in those few.
      what := what || case when (term ->> 'not')::boolean then format(' and not w.%I @@ %L::tsquery', case term ->> 'of' when 'agent' then 'agent' when 'client' then 'client' else 'words' end, q)
        else format(' and w.words @@ %L::tsquery', q) || case when term ->> 'of' in ('agent', 'client') then format(' and w.%I @@ %L::tsquery', term ->> 'of', q) else '' end end;
    end if;
  end loop;
  if what = '' then return; end if;
  return query execute 'with found as materialized (select w.call_id, w.started_at, w.number_id from call_search_text w where w.company_id = $1' || what || ')
    select found.call_id, found.started_at from found where ($2 is null or found.number_id = any($2)) and found.started_at >= $3 and found.started_at < $4' using company, numbers, since, before;
end $$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function calls_matching owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function calls_matching from public;
grant execute on function calls_matching to trunkline_app;

-- Asked by fields: where the tags of a company are used.
create function tag_uses(company bigint)
returns table (tag_id bigint, numbers int, calls int, places int) language sql stable as $$
  select t.id, (select count(*)::int from number_tag x where x.company_id = company and x.tag_id = t.id), (select count(*)::int from call_tag x where x.company_id = company and x.tag_id = t.id),
    (select count(*)::int from number_template x where x.company_id = company and t.id = any (x.tag_ids)) + (select count(*)::int from forward_contact x where x.company_id = company and t.id = any (x.tag_ids))
  from tag t where t.company_id = company
$$;

-- Asked by fields: whatever carried one tag carries the other.
create function rename_tag_usage(company bigint, gone bigint, kept bigint) returns void language sql as $$
  insert into number_tag (company_id, number_id, tag_id) select company_id, number_id, kept from number_tag where company_id = company and tag_id = gone on conflict do nothing;
  insert into call_tag (company_id, call_id, tag_id, added_by, added_at) select company_id, call_id, kept, added_by, added_at from call_tag where company_id = company and tag_id = gone on conflict do nothing;
  delete from number_tag where company_id = company and tag_id = gone;
  delete from call_tag where company_id = company and tag_id = gone;
  update number_template set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
  update forward_contact set tag_ids = case when kept = any (tag_ids) then array_remove(tag_ids, gone) else array_replace(tag_ids, gone, kept) end where company_id = company and gone = any (tag_ids);
$$;

-- Asked by fields: how many objects of a type a company has.
create function field_entities(company bigint, entity int) returns int language sql stable as $$
  select case entity
    when 1 then (select count(*)::int from number x where x.company_id = company and x.status <> 'released')
    when 2 then 1
    when 4 then (select count(c.organization_id)::int from company c where c.id = company)
    when 5 then (select count(*)::int from membership x where x.company_id = company and x.role <> 'deactivated')
    when 6 then (select count(*)::int from call x where x.company_id = company)
    when 7 then (select count(*)::int from contact x where x.company_id = company and x.deleted_at is null)
    else 0 end
$$;
