-- What a person muted of a number, by channel. Event '*': everything.
create table notification_block (
  company_id bigint not null,
  user_id bigint not null,
  number_id bigint not null,
  channel text not null check (channel in ('email', 'sms', 'push', 'app', 'slack')),
  event text not null default '*'
    check (event in ('*', 'call', 'missed', 'voicemail', 'message', 'fax', 'campaign', 'alert')),
  created_at timestamptz not null,
  primary key (company_id, user_id, number_id, channel, event),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index notification_block_number on notification_block (company_id, number_id);
select tenant_table('notification_block');

-- How a person is notified of what happens in a company; without a row the defaults of the contract
-- hold.
create table notification_setting (
  company_id bigint not null,
  user_id bigint not null,
  kinds jsonb not null default '{}',
  -- Empty: every number the person sees.
  number_ids bigint[] not null default '{}',
  quiet boolean not null default false,
  quiet_from text not null default '20:00',
  quiet_to text not null default '08:00',
  timezone text,
  updated_at timestamptz not null,
  primary key (company_id, user_id)
);
select tenant_table('notification_setting');

-- What waits to be mailed to a person about one conversation: one mail for five minutes.
create table notification_digest (
  company_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  lines jsonb not null default '[]',
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (company_id, user_id, conversation_id)
);
select tenant_table('notification_digest');

-- Devices for push notifications: a person's, in whatever company they work; removed when their
-- session ends.
create table push_device (
  id bigint primary key default next_id(),
  person_id bigint not null references person (id) on delete cascade,
  session_id bigint,
  kind text not null check (kind in ('apns_voip', 'web')),
  device_id text not null,
  token text not null,
  bundle_id text,
  environment text check (environment in ('production', 'sandbox')),
  keys_secret text,
  user_agent text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expired_at timestamptz
);
create unique index push_device_token on push_device (kind, token);
create index push_device_person on push_device (person_id) where expired_at is null;
create index push_device_session on push_device (session_id) where session_id is not null;
create index push_device_gone on push_device (expired_at) where expired_at is not null;
select global_table('push_device');

-- Who has the app open: every web process reports its sockets.
create table online_person (
  person_id bigint primary key references person (id) on delete cascade,
  seen_at timestamptz not null
);
select global_table('online_person');

-- Asked by numbers: has the current person muted this number on any channel?
create function number_is_muted(company bigint, number_id bigint)
returns boolean language sql stable as $$
  select exists (select from notification_block b where b.company_id = company and b.number_id = $2 and b.user_id = current_person())
$$;

-- Of these addresses, those that may be mailed about a number: members of the company who muted
-- mail of it are left out, outside addresses stay. Called in the company's own transaction.
create function unmuted_addresses(company bigint, of_number bigint, about text, addresses text[])
returns text[] language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(a.address order by a.n), '{}') from unnest(addresses) with ordinality a(address, n)
  where company = current_company() and not exists (
    select from person p join notification_block b on b.user_id = p.id and b.company_id = company and b.number_id = of_number and b.channel = 'email' and b.event in ('*', about)
    where lower(p.email) = lower(a.address))
$$;

-- A security definer function has the rights of the system role, not of whoever migrates.
grant create on schema public to trunkline_system;
alter function unmuted_addresses owner to trunkline_system;
revoke create on schema public from trunkline_system;
revoke execute on function unmuted_addresses from public;
grant execute on function unmuted_addresses to trunkline_app, trunkline_system;
