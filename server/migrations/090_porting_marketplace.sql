-- Numbers on their way here from another carrier. `pending` is a draft.
create table port_request (
  company_id bigint not null,
  id bigint not null default next_id(),
  status text not null default 'pending'
    check (status in (
      'pending', 'documentsRequested', 'submitted', 'inProgress', 'firmOrderScheduled', 'completed',
      'rejected', 'canceled'
    )),
  status_before text,
  number_type smallint not null check (number_type between 1 and 3),
  service smallint not null default 1 check (service in (1, 2)),
  losing_carrier text not null default '',
  account_number text not null default '',
  pin_sealed text,
  billing_telephone_number text,
  customer_type text not null default 'business'
    check (customer_type in ('business', 'residential')),
  entity_name text not null default '',
  authorized_first_name text not null default '',
  authorized_last_name text not null default '',
  authorized_email text not null default '',
  authorized_phone text,
  service_address jsonb not null default '{}',
  requested_date date,
  partial boolean not null default false,
  loa_state text not null default 'unsigned' check (loa_state in ('unsigned', 'sent', 'signed')),
  loa_signed_at timestamptz,
  loa_signed_by text,
  loa_signature jsonb,
  loa_text text,
  loa_hash text,
  loa_file_id bigint,
  foc_date date,
  rejection jsonb,
  documents_wanted text[] not null default '{}',
  carrier text,
  carrier_ref text,
  carrier_seq int not null default 0,
  attempt int not null default 0,
  template_id bigint,
  temporary_forward_number_id bigint,
  created_by bigint,
  created_by_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  submitted_at timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  cancel_reason text,
  -- Since when a carrier may have an order for this, whether or not its response arrived: what is
  -- canceled after that is canceled there too.
  send_started_at timestamptz,
  -- What the carrier does against our word, until somebody has seen to it: {code, text, at}.
  alarm jsonb,
  primary key (company_id, id),
  foreign key (company_id, temporary_forward_number_id) references number (company_id, id)
);
create index port_request_newest on port_request (company_id, created_at desc, id desc);
create index port_request_open on port_request (updated_at)
  where send_started_at is not null
    and status in ('submitted', 'inProgress', 'firmOrderScheduled', 'documentsRequested');
create index port_request_canceled on port_request (canceled_at)
  where send_started_at is not null and status = 'canceled';
select tenant_table('port_request');

create table port_number (
  company_id bigint not null,
  port_id bigint not null,
  number text not null,
  position int not null,
  type smallint not null check (type between 1 and 3),
  portable boolean,
  reason text,
  losing_carrier text,
  status text not null default 'pending'
    check (status in ('pending', 'moving', 'completed', 'failed', 'canceled')),
  completed_at timestamptz,
  number_id bigint,
  primary key (company_id, port_id, number),
  foreign key (company_id, port_id) references port_request (company_id, id) on delete cascade,
  foreign key (company_id, number_id) references number (company_id, id)
);
-- A number is in one open request.
create unique index port_number_on_its_way on port_number (company_id, number)
  where status in ('pending', 'moving');
select tenant_table('port_number');

create table port_document (
  company_id bigint not null,
  id bigint not null default next_id(),
  port_id bigint not null,
  kind text not null check (kind in ('bill', 'loa', 'csr', 'id', 'other')),
  file_id bigint not null,
  name text not null,
  mime text not null,
  size int not null,
  bill_date date,
  uploaded_by bigint,
  uploaded_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, port_id) references port_request (company_id, id) on delete cascade,
  foreign key (company_id, file_id) references file (company_id, id)
);
create index port_document_port on port_document (company_id, port_id);
select tenant_table('port_document');

-- The history of a request; notes of people are entries too.
create table port_event (
  company_id bigint not null,
  id bigint not null default next_id(),
  port_id bigint not null,
  kind text not null check (kind in ('status', 'note', 'document', 'letter', 'change', 'alarm')),
  status text,
  text text not null,
  by_user_id bigint,
  by_name text,
  at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, port_id) references port_request (company_id, id) on delete cascade
);
create index port_event_port on port_event (company_id, port_id, at, id);
select tenant_table('port_event');

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
