-- A listing: for lease, or for assignment of the service. `number_id` is the company's own number;
-- without one it is inventory that is provisioned when somebody takes it. What was agreed is kept
-- with the reservation, then with the lease, and nowhere else: an accepted offer sets no later
-- price.
create table marketplace_number (
  company_id bigint not null,
  id bigint not null default next_id(),
  number text not null,
  number_id bigint,
  vanity_text text,
  words text[] not null default '{}',
  category text not null check (category in ('toll_free', 'local')),
  area_code text not null default '',
  region text not null default '',
  tier text not null default 'standard' check (tier in ('standard', 'premium', 'exclusive')),
  pattern text,
  channel text not null default 'own' check (channel in ('own', 'partner', 'listing_site')),
  partner_name text,
  status text not null default 'draft'
    check (status in ('draft', 'listed', 'reserved', 'under_offer', 'leased', 'withdrawn')),
  pricing_type text not null default 'lease'
    check (pricing_type in ('lease', 'assignment', 'make_offer')),
  monthly_cents int not null default 0 check (monthly_cents >= 0),
  setup_cents int not null default 0 check (setup_cents >= 0),
  minimum_term_months int not null default 12 check (minimum_term_months between 1 and 120),
  minimum_offer_cents int check (minimum_offer_cents >= 0),
  exclusive_states text[] not null default '{}',
  exclusive_area_codes text[] not null default '{}',
  industries text[] not null default '{}',
  description text not null default '',
  seo_slug text,
  images jsonb not null default '[]',
  featured boolean not null default false,
  resp_org text,
  portable boolean not null default true,
  contact_email text,
  notes text not null default '',
  legal_notice text not null default '',
  listed_at timestamptz,
  first_listed_at timestamptz,
  reserved_until timestamptz,
  reserved_by_company_id bigint,
  lessee_company_id bigint,
  lessee_name text,
  leased_at timestamptz,
  lease_term_months int,
  lease_monthly_cents int,
  withdrawn_at timestamptz,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lease_ends_at timestamptz,
  reserved_offer_id bigint,
  lease_setup_cents int,
  -- The lister gave notice: the lease is not renewed.
  lease_notice_at timestamptz,
  -- Days before the end at which both sides were last reminded.
  lease_notified_days int,
  withdraws_at_end boolean not null default false,
  -- The service of an assigned number has left for good; that is no lease.
  assigned_at timestamptz,
  assigned_to text,
  assigned_cents int,
  primary key (company_id, id),
  foreign key (company_id, number_id) references number (company_id, id)
);
create unique index marketplace_number_once on marketplace_number (company_id, number)
  where status <> 'withdrawn';
create unique index marketplace_number_slug on marketplace_number (company_id, seo_slug)
  where seo_slug is not null;
create index marketplace_number_newest on marketplace_number (company_id, created_at desc, id desc);
create index marketplace_number_listed on marketplace_number (company_id, listed_at desc)
  where status = 'listed';
create index marketplace_number_ending on marketplace_number (lease_ends_at)
  where status = 'leased';
select tenant_table('marketplace_number');

-- One row a visitor and day.
create table marketplace_view (
  company_id bigint not null,
  marketplace_id bigint not null,
  day date not null,
  visitor text not null,
  at timestamptz not null,
  primary key (company_id, marketplace_id, day, visitor),
  foreign key (company_id, marketplace_id)
    references marketplace_number (company_id, id) on delete cascade
);
select tenant_table('marketplace_view');

create table marketplace_inquiry (
  company_id bigint not null,
  id bigint not null default next_id(),
  marketplace_id bigint not null,
  name text not null,
  email text not null,
  message text not null,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, marketplace_id)
    references marketplace_number (company_id, id) on delete cascade
);
create index marketplace_inquiry_number on marketplace_inquiry (company_id, marketplace_id, at);
select tenant_table('marketplace_inquiry');

create table marketplace_offer (
  company_id bigint not null,
  id bigint not null default next_id(),
  marketplace_id bigint not null,
  buyer_company_id bigint not null,
  buyer_name text not null,
  buyer_email text not null,
  amount_cents int not null check (amount_cents > 0),
  term_months int not null check (term_months between 1 and 120),
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'expired')),
  message text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, marketplace_id)
    references marketplace_number (company_id, id) on delete cascade
);
create index marketplace_offer_number
  on marketplace_offer (company_id, marketplace_id, created_at desc);
select tenant_table('marketplace_offer');

create table marketplace_event (
  company_id bigint not null,
  id bigint not null default next_id(),
  marketplace_id bigint not null,
  kind text not null,
  text text not null,
  status text,
  by_name text,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, marketplace_id)
    references marketplace_number (company_id, id) on delete cascade
);
create index marketplace_event_number on marketplace_event (company_id, marketplace_id, at, id);
select tenant_table('marketplace_event');
