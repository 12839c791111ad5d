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

-- The request that brought a number here, for its page. Numbers ask through these two functions,
-- because ports come after them.
create function number_port(company bigint, of_number bigint)
returns json language sql stable as $$
  select json_build_object(
    'id', p.id, 'status', p.status, 'losing_carrier', p.losing_carrier,
    'completed_at', pn.completed_at
  )
  from port_number pn
  join port_request p on p.company_id = pn.company_id and p.id = pn.port_id
  where pn.company_id = company and pn.number_id = of_number
  order by pn.completed_at desc nulls last limit 1
$$;
-- Numbers that another carrier still has and that are on their way here.
create function count_porting_numbers(company bigint)
returns int language sql stable as $$
  select count(*)::int
  from port_number pn
  join port_request p on p.company_id = pn.company_id and p.id = pn.port_id
  where pn.company_id = company and pn.status = 'moving'
    and p.status in ('submitted', 'documentsRequested', 'inProgress', 'firmOrderScheduled')
$$;
grant execute on function number_port, count_porting_numbers to trunkline_app, trunkline_system;
