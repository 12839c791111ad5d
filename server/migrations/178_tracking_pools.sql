-- A pool of numbers that visitors of a website see. `settings` holds everything of the contract's
-- PoolSettings. A deleted pool stays: calls are matched with its leases for the attribution window.
create table tracking_pool (
  company_id bigint not null,
  id bigint not null default next_id(),
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  mode text not null default 'visitor' check (mode in ('visitor', 'source')),
  settings jsonb not null,
  -- For mode `source`: standard sources and the company's own; none means all.
  source_ids bigint[] not null default '{}',
  default_number_id bigint,
  template_id bigint,
  schedule_id bigint,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, default_number_id) references number (company_id, id),
  foreign key (company_id, template_id) references number_template (company_id, id)
    on delete set null (template_id),
  foreign key (company_id, schedule_id) references schedule (company_id, id)
    on delete set null (schedule_id)
);
create unique index tracking_pool_name on tracking_pool (company_id, lower(name))
  where deleted_at is null;
select tenant_table('tracking_pool');
alter table number add foreign key (company_id, dni_pool_id)
  references tracking_pool (company_id, id);

-- One visitor's use of a number. It is over at `ended_at`, at `expires_at` unless the page is heard
-- of again, and at `ends_at` in any case.
create table tracking_lease (
  company_id bigint not null,
  id bigint not null default next_id(),
  pool_id bigint not null,
  number_id bigint not null,
  session_id bigint not null,
  visitor_id text not null,
  is_shared boolean not null default false,
  started_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, pool_id) references tracking_pool (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index tracking_lease_number on tracking_lease (company_id, number_id, started_at desc);
create index tracking_lease_pool on tracking_lease (company_id, pool_id, started_at desc);
create index tracking_lease_visitor on tracking_lease (company_id, visitor_id, started_at desc);
-- Without sharing, a number has one lease that isn't over.
create unique index tracking_lease_once on tracking_lease (company_id, number_id)
  where ended_at is null and not is_shared;
select tenant_table('tracking_lease');

-- The place of a number in a pool, with what is needed to give it to the next visitor. The primary
-- key lets a number be in one pool only.
create table tracking_pool_number (
  company_id bigint not null,
  number_id bigint not null,
  pool_id bigint not null,
  number text not null,
  position int not null,
  joined_at timestamptz not null,
  lease_id bigint,
  -- Until then the visitor of the last lease sees it; null: it had none.
  leased_until timestamptz,
  primary key (company_id, number_id),
  foreign key (company_id, pool_id) references tracking_pool (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id)
);
create index tracking_pool_number_idle
  on tracking_pool_number (company_id, pool_id, leased_until nulls first, position);
select tenant_table('tracking_pool_number');

-- The name of a number's pool, for lists of numbers: that module comes before this one.
create function number_pool_name(company bigint, pool bigint) returns text
  language sql stable as $$
  select name from tracking_pool where company_id = company and id = pool
$$;
grant execute on function number_pool_name to trunkline_app, trunkline_system;
