-- A number's call flow while it is edited: kept apart, so that calls go on as published.
create table flow_draft (
  company_id bigint not null, number_id bigint not null,
  -- Grows with each save; whoever saves names the one they started from.
  revision int not null default 1,
  -- The version that was live when the draft began; 0 = none was kept yet.
  based_on int not null default 0,
  -- {routes, menu} as PUT /numbers/{id} takes them.
  flow jsonb not null,
  edited_by bigint, edited_by_name text not null default '', edited_at timestamptz not null,
  primary key (company_id, number_id), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('flow_draft');

-- Every flow that was ever live. Never changed: rolling back writes a new one.
create table flow_version (
  company_id bigint not null, number_id bigint not null, version int not null,
  kind text not null check (kind in ('published', 'saved', 'restored', 'first')),
  flow jsonb not null, summary text not null, restored_from int,
  published_by bigint, published_by_name text, published_at timestamptz not null,
  primary key (company_id, number_id, version), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('flow_version');
create function flow_version_stays() returns trigger language plpgsql as $$ begin raise exception 'A published flow never changes'; end $$;
create trigger flow_version_stays before update on flow_version for each row execute function flow_version_stays();

-- Round robin: whose turn it is on a route, counted where the route is taken.
create table route_turn (
  company_id bigint not null, route_id bigint not null, turns bigint not null default 0,
  primary key (company_id, route_id), foreign key (company_id, route_id) references route (company_id, id) on delete cascade
);
select tenant_table('route_turn');

-- Who answered on a route, and when last: least recent first begins with whoever waited longest.
create table route_answer (
  company_id bigint not null, route_id bigint not null, destination text not null, answered_at timestamptz not null,
  primary key (company_id, route_id, destination), foreign key (company_id, route_id) references route (company_id, id) on delete cascade
);
select tenant_table('route_answer');

-- "Does this call come from one of our own calls that rings here?" is asked of every call that comes in.
create index call_leg_ringing on call_leg (company_id, target) where ended_at is null and role = 'target';
