-- What happened to a number, told once in words (decisions A6.5). Texts are counted by day instead: they are many.
create table number_event (
  company_id bigint not null, id bigint not null default next_id(), number_id bigint not null, at timestamptz not null,
  type text not null, actor_type text not null check (actor_type in ('user', 'key', 'system', 'platform')), actor_id bigint, actor_name text not null default '',
  summary text not null, before jsonb, after jsonb,
  -- Says what it tells of (a call, an event that may come twice): once only.
  source text,
  primary key (company_id, id), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
create unique index number_event_once on number_event (company_id, number_id, source) where source is not null;
create index number_event_newest on number_event (company_id, number_id, at desc, id desc);
select tenant_table('number_event');

create table number_day (
  company_id bigint not null, number_id bigint not null, day date not null, messages int not null default 0, last_message_at timestamptz not null,
  primary key (company_id, number_id, day), foreign key (company_id, number_id) references number (company_id, id) on delete cascade
);
select tenant_table('number_day');

-- A number that was exchanged leads to the one that took its place until then.
alter table number add column rotated_to bigint, add column forward_until timestamptz;
create index number_by_number on number (company_id, number);
create index number_releasing on number (company_id, returns_at) where status = 'releasing';
